/** What pages of lists do beyond being read: times in the reader's own zone, menus. */

import { tendMenus } from "./view/menus.js";
import { showLocalTimes } from "./view/times.js";

showLocalTimes();
tendMenus();
document.documentElement.dataset.ready = "true";
