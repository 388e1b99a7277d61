/**
 * How every page looks: its theme, the colours of the suits, and the speed of what moves. Loaded in the head of all
 * pages as a plain script, so that it has run before anything is drawn and no page flashes in the wrong colours.
 *
 *   html[data-theme="light"] or "dark"     the player's choice against the device's
 *   html[data-suits="four"]                a colour for each suit
 *   html[data-speed="off"], fast, normal, slow    the player's choice against the device's
 *
 * It reads what settings.js keeps; a page with settings.js tells it of changes by the event "bakers:look".
 */
{
  const root = document.documentElement;
  /** What may be chosen; anything else is as if nothing were chosen. @type {Record<string, string[]>} */
  const WORDS = {
    theme: ["light", "dark"],
    suits: ["four"],
    speed: ["off", "fast", "normal", "slow"],
  };
  const bars = [...document.querySelectorAll('meta[name="theme-color"]')].map((each) => {
    const meta = /** @type {HTMLMetaElement} */ (each);
    return { meta, theme: meta.media.includes("dark") ? "dark" : "light", content: meta.content };
  });
  const scheme = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="color-scheme"]'));

  /** @param {() => string | null | undefined} text @returns {any} the object written there, or an empty one */
  const read = (text) => {
    try {
      return Object(JSON.parse(text() ?? "{}"));
    } catch {
      return {};
    }
  };

  /** @returns {any} the settings, as `Settings` puts them together from the page and the storage */
  function settings() {
    const guest = read(() => localStorage.getItem("bakers.settings"));
    if (root.dataset.settings === undefined) return guest;
    const page = read(() => root.dataset.settings);
    const kept = read(() => localStorage.getItem("bakers.settings.account"));
    const isSame = kept.account === page.account;
    const newest = isSame && Date.parse(kept.as_of) > Date.parse(page.as_of) ? kept : page;
    return { ...newest.settings, ...(newest.chosen ? {} : guest), ...(isSame ? kept.unsent : {}) };
  }

  /** @param {any} look */
  function show(look) {
    for (const [name, words] of Object.entries(WORDS)) {
      if (words.includes(look[name])) root.dataset[name] = look[name];
      else delete root.dataset[name];
    }
    const theme = root.dataset.theme;
    scheme.content = theme ?? "light dark";
    for (const { meta, content, theme: own } of bars)
      meta.content = bars.find((bar) => bar.theme === (theme ?? own))?.content ?? content;
  }

  show(settings());
  addEventListener("storage", ({ key }) => {
    if (key === null || key.startsWith("bakers.settings")) show(settings());
  });
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) show(settings());
  });
  document.addEventListener("bakers:look", (event) => show(/** @type {CustomEvent} */ (event).detail));
}
