// What can be chosen of a bot's play: its strength, in playouts or seconds a move, and how its first moves vary.
//
// A level is an object with `playouts`, or with `seconds`.

const USUAL = [1, 4, 16, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800];
const TIMES = [1, 3, 10];

// Where nothing was chosen: about a second, as strong as the machine is fast.
export const USUAL_LEVEL = { seconds: 1 };

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
    const counts = [...new Set([...USUAL, suggested])].filter((level) => level <= most.playouts).sort((one, other) => one - other);
    const times = TIMES.filter((time) => time <= most.seconds);
    this.#all = [...counts.map((playouts) => ({ playouts })), ...times.map((seconds) => ({ seconds }))];
    if (this.#all.length === 0) this.#all = [{ playouts: most.playouts }];
  }

  get count() {
    return this.#all.length;
  }

  at(index) {
    return this.#all[Math.min(Math.max(index, 0), this.#all.length - 1)];
  }

  // What a level is called: how long the bot looks, as nobody has measured how well it plays.
  static nameOf({ playouts, seconds }) {
    return seconds ? "level_timed" : `level_${NAMES.find(([most]) => playouts <= most)[1]}`;
  }

  // The highest level of its kind that is no more than `level`.
  indexOf(level) {
    const below = (other) => (level.seconds ? other.seconds <= level.seconds : other.playouts <= level.playouts);
    return Math.max(this.#all.findLastIndex(below), 0);
  }
}
