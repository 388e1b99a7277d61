/** Moments in the reader's own time zone; the page has them in UTC. */

/** @param {ParentNode} [within] */
export function showLocalTimes(within = document) {
  for (const time of within.querySelectorAll("time[data-local]")) {
    const element = /** @type {HTMLTimeElement} */ (time);
    const moment = new Date(element.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    element.title = element.textContent ?? "";
    element.textContent = moment.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  }
}
