/** Random numbers that come out the same for the same seed (mulberry32, a public-domain generator). */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** @returns {number} at least 0, less than 1 */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** @param {number} count @returns {number} 0 to count - 1 */
  below(count) {
    return Math.floor(this.next() * count);
  }

  /** @template T @param {ReadonlyArray<T>} items @returns {T} */
  pick(items) {
    return /** @type {T} */ (items[this.below(items.length)]);
  }

  /** @param {number} chance 0 to 1 */
  happens(chance) {
    return this.next() < chance;
  }

  /** @template T @param {ReadonlyArray<T>} items @returns {T[]} */
  shuffled(items) {
    const rest = [...items];
    for (let last = rest.length - 1; last > 0; last -= 1) {
      const other = this.below(last + 1);
      [rest[last], rest[other]] = [/** @type {T} */ (rest[other]), /** @type {T} */ (rest[last])];
    }
    return rest;
  }
}
