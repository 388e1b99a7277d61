/** What several pages of one browser share: storage and locks. */

export class FakeLocalStorage {
  /** @type {Map<string, string>} */
  #items = new Map();

  get length() {
    return this.#items.size;
  }

  /** @param {number} index */
  key(index) {
    return [...this.#items.keys()][index] ?? null;
  }

  /** @param {string} key */
  getItem(key) {
    return this.#items.get(key) ?? null;
  }

  /** @param {string} key @param {string} value */
  setItem(key, value) {
    this.#items.set(key, value);
  }

  /** @param {string} key */
  removeItem(key) {
    this.#items.delete(key);
  }
}

/** @typedef {{page: object, name: string, run: () => any, held: boolean}} Lock */

/** Exclusive locks that pages hold and wait for, in order of asking; those of a page that goes are released. */
export class FakeLocks {
  /** @type {Lock[]} */
  #locks = [];

  /**
   * The lock manager as one page sees it.
   *
   * @param {object} page
   * @returns {Pick<LockManager, "request">}
   */
  of(page) {
    /** @param {string} name @param {() => any} run */
    const request = (name, run) =>
      new Promise((resolve, reject) => {
        // As in a browser, it is answered when the lock has been held and let go.
        const held = () => Promise.resolve(run()).then(resolve, reject);
        this.#locks.push({ page, name, run: held, held: false });
        this.#grant();
      });
    return /** @type {any} */ ({ request });
  }

  /** @param {object} page */
  release(page) {
    this.#locks = this.#locks.filter((lock) => lock.page !== page);
    this.#grant();
  }

  async #grant() {
    await null;
    for (const lock of [...this.#locks]) {
      const first = this.#locks.find(({ name }) => name === lock.name);
      if (first !== lock || lock.held) continue;
      lock.held = true;
      Promise.resolve(lock.run()).then(() => {
        this.#locks = this.#locks.filter((other) => other !== lock);
        this.#grant();
      });
    }
  }
}
