/**
 * Motion. A card that changes place is put there at once and then drawn from where it was seen last ("first, last,
 * invert, play"), with transforms only. So nothing waits for an animation, and a move made during one starts from
 * where the cards are on the screen.
 */

/**
 * Milliseconds a card travels or turns at normal speed: long enough for the eye to follow, short enough not to be
 * waited for.
 */
const TRAVEL = 200;
/** How much longer it takes at the speed that the player chose. @type {Record<string, number>} */
const PACES = { off: 0, fast: 0.5, normal: 1, slow: 2 };
const EASE = "cubic-bezier(0.22, 0.75, 0.25, 1)";

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** @returns {number} by what durations are multiplied; 0 for no motion. A speed that was chosen goes before the device's */
export const pace = () => PACES[document.documentElement.dataset.speed ?? ""] ?? (stillness.matches ? 0 : 1);

/** @returns {boolean} whether the player wants no motion */
export const isStill = () => pace() === 0;

/** The way that each card is drawn on, or was drawn on last. @type {WeakMap<HTMLElement, Animation>} */
const glides = new WeakMap();

/** @param {Element} element */
function stop(element) {
  for (const animation of element.getAnimations()) animation.cancel();
}

/**
 * Draws an element's way from an offset to its place.
 *
 * @param {HTMLElement} element
 * @param {number} dx pixels from its place to where it comes from
 * @param {number} dy
 */
export function glide(element, dx, dy) {
  if (isStill() || (Math.abs(dx) < 1 && Math.abs(dy) < 1)) return;
  element.classList.add("card--moving");
  const animation = element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
    duration: TRAVEL * pace(),
    easing: EASE,
  });
  glides.set(element, animation);
  // The end of an earlier way may be told only after the next one has begun, and then says nothing any more. What
  // other animation the card has by then plays no part: a card that is refused in its flight has landed.
  const settle = () => {
    if (glides.get(element) === animation) element.classList.remove("card--moving");
  };
  animation.onfinish = settle;
  animation.oncancel = settle;
}

/** @param {HTMLElement} element turns it up (or down) in its place */
export function turn(element) {
  if (isStill()) return;
  stop(element);
  element.animate([{ transform: "scaleX(0.02)" }, { transform: "none" }], {
    duration: TRAVEL * pace(),
    easing: "ease-out",
  });
}

/** @param {HTMLElement} element shakes its head: not this card */
export function refuse(element) {
  if (isStill()) return;
  stop(element);
  const steps = [0, -4, 4, -3, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
  element.animate(steps, { duration: TRAVEL * pace(), easing: "linear" });
}

/**
 * Changes the page and lets the cards glide from where they were to where they are.
 *
 * @param {() => Iterable<HTMLElement>} cards those on the table, asked before and after the change
 * @param {() => void} change
 * @param {HTMLElement | null} inHand a card that follows the pointer and is left alone
 */
export function flip(cards, change, inHand = null) {
  if (isStill()) {
    change();
    return;
  }
  /** @type {Map<HTMLElement, DOMRect>} */
  const before = new Map();
  for (const card of cards()) before.set(card, card.getBoundingClientRect());
  change();
  // All animations end before the first measuring: one layout for all cards, not one a card.
  const after = [...cards()].filter((card) => card !== inHand);
  for (const card of after) stop(card);
  const places = after.map((card) => card.getBoundingClientRect());
  after.forEach((card, index) => {
    const was = before.get(card);
    if (was) glide(card, was.left - places[index].left, was.top - places[index].top);
    else turn(card);
  });
}
