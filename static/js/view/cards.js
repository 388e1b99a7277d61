/**
 * Cards as elements. Each of the 52 is made once and then only moved about; the suit shapes are symbols in the page,
 * so a card is a handful of nodes.
 */

import { COVERED, cardName, rankOf, suitOf } from "../rules.js";

const SVG = "http://www.w3.org/2000/svg";
const INDEX = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/**
 * Where the small suit starts, beside the rank, in the 100 × 140 of a card: the widths of bold figures and letters.
 * @type {Record<string, number>}
 */
const SUIT_LEFT = { 10: 46, J: 33, Q: 40, K: 38, A: 38 };
const SUIT_LEFT_OF_FIGURES = 33;

/** @param {string} words @returns {string} */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** @param {string} card @returns {string} "Seven of hearts" as a sentence begins */
export const cardTitle = (card) => capital(cardName(card));

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @returns {SVGElement}
 */
function svg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/**
 * @param {string} symbol
 * @param {number} x centre
 * @param {number} y centre
 * @param {number} width
 * @param {number} [height]
 * @param {string} [className]
 */
const stamp = (symbol, x, y, width, height = width, className = "card__pip") =>
  svg("use", { href: `#${symbol}`, x: x - width / 2, y: y - height / 2, width, height, class: className });

/**
 * @param {string} symbol
 * @returns {SVGElement} a drawing that shows one symbol
 */
export function icon(symbol) {
  const drawing = svg("svg", { viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" });
  drawing.append(svg("use", { href: `#${symbol}` }));
  return drawing;
}

/**
 * @param {string} className
 * @param {SVGElement[]} parts
 */
function cardElement(className, parts) {
  const element = document.createElement("div");
  element.className = className;
  // The column's label tells its cards in words; the drawings would only repeat them.
  element.setAttribute("aria-hidden", "true");
  const drawing = svg("svg", { viewBox: "0 0 100 140", focusable: "false" });
  drawing.append(...parts);
  element.append(drawing);
  return element;
}

/**
 * @param {string} card
 * @returns {HTMLElement}
 */
export function faceOf(card) {
  const suit = `suit-${suitOf(card)}`;
  const index = INDEX[rankOf(card) - 1];
  const rank = svg("text", {
    x: 7,
    y: 34.5,
    class: index === "10" ? "card__rank card__rank--ten" : "card__rank",
  });
  rank.textContent = index;
  const left = SUIT_LEFT[index] ?? SUIT_LEFT_OF_FIGURES;
  const parts = [rank, stamp(suit, left + 15, 21.5, 28)];
  if ("JQK".includes(index)) {
    const letter = svg("text", { x: 50, y: 117, class: "card__letter" });
    letter.textContent = index;
    parts.push(
      svg("rect", { x: 13, y: 50, width: 74, height: 81, rx: 5, class: "card__panel" }),
      stamp(`court-${index}`, 50, 68, 36, 24, "card__court"),
      letter,
    );
  } else {
    parts.push(stamp(suit, 50, 91, index === "A" ? 76 : 58));
  }
  const element = cardElement("card", parts);
  element.dataset.card = card;
  element.dataset.suit = suitOf(card);
  return element;
}

/** @returns {HTMLElement} a card face down */
export function back() {
  const element = cardElement("card card--back", [
    svg("use", { href: "#card-back", width: 100, height: 140 }),
  ]);
  element.dataset.card = COVERED;
  return element;
}
