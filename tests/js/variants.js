/** The five variants as the server describes them to the page. */

/** @type {Record<string, import("../../static/js/rules.js").Variant>} */
export const VARIANTS = {};

for (const [slug, name, columns, columnSize, fill, covered] of /** @type {const} */ ([
  ["bakers-dozen", "Baker’s Dozen", 13, 4, "none", false],
  ["original-1883", "Original 1883", 13, 4, "none", true],
  ["good-measure", "Good Measure", 10, 5, "none", false],
  ["spanish-patience", "Spanish Patience", 13, 4, "any", false],
  ["portuguese-solitaire", "Portuguese Solitaire", 13, 4, "kings", false],
])) {
  VARIANTS[slug] = {
    slug,
    name,
    columns,
    fill,
    covered,
    aces_start: slug === "good-measure",
    column_size: columnSize,
    summary: "",
  };
}

/** @param {string} slug */
export function variantOf(slug) {
  const variant = VARIANTS[slug];
  if (!variant) throw new Error(`No variant "${slug}"`);
  return variant;
}
