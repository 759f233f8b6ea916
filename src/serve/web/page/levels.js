// What can be chosen of a bot's play: its strength, in playouts a move, and how its first moves vary.

const USUAL = [1, 4, 16, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800];

const NAMES = [
  [1, "glance"],
  [16, "quick"],
  [100, "light"],
  [400, "steady"],
  [1600, "careful"],
  [6400, "deep"],
  [Infinity, "utmost"],
];

// Temperatures at which a bot draws its first moves: at 0 it plays the same game each time.
export const VARIETIES = { none: 0, little: 0.5, more: 1 };

export class Levels {
  #all = [];

  // Up to what the program allows, and with what the bot suggests.
  constructor(suggested, most) {
    this.#all = [...new Set([...USUAL, suggested])].filter((level) => level <= most).sort((one, other) => one - other);
    if (this.#all.length === 0) this.#all = [most];
  }

  get count() {
    return this.#all.length;
  }

  at(index) {
    return this.#all[Math.min(Math.max(index, 0), this.#all.length - 1)];
  }

  // What a number of playouts is called: how long the bot looks, as nobody has measured how well it plays.
  static nameOf(playouts) {
    return `level_${NAMES.find(([most]) => playouts <= most)[1]}`;
  }

  // The highest level that is no more than `playouts`.
  indexOf(playouts) {
    return Math.max(this.#all.findLastIndex((level) => level <= playouts), 0);
  }
}
