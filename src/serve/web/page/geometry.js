// Where squares are drawn: the grid of a board, seen from a side.

export const UNIT = 48;
const MARGIN = 20;

// The file and rank in a square's name, where it has both.
function parts(name) {
  const found = /^([a-z]+)(\d+)$/.exec(name);
  return found && { file: found[1], rank: found[2] };
}

// Squares whose names do not follow the rows and columns (a corner beyond the arena): their letter stands in two columns.
function strays(squares) {
  const columns = new Map();
  for (const { name, column } of squares) {
    const file = parts(name)?.file ?? name;
    columns.set(file, (columns.get(file) ?? new Set()).add(column));
  }
  return new Set(squares.filter(({ name }) => columns.get(parts(name)?.file ?? name).size > 1).map(({ name }) => name));
}

export class Geometry {
  #squares = new Map();
  #places = new Map();
  #strays;

  constructor(board, near) {
    this.rows = board.rows;
    this.columns = board.columns;
    this.near = near;
    this.#strays = strays(board.squares);
    for (const square of board.squares) {
      const [column, row] = near === "white" ? [square.column, board.rows - 1 - square.row] : [board.columns - 1 - square.column, square.row];
      this.#squares.set(square.name, { ...square, across: column, down: row, x: column * UNIT, y: row * UNIT });
      this.#places.set(`${column},${row}`, square.name);
    }
    const labels = this.labels();
    this.left = labels.some(({ x }) => x < 0) ? MARGIN : 3;
    this.below = labels.some(({ y }) => y > this.rows * UNIT) ? MARGIN : 3;
  }

  get width() {
    return this.left + this.columns * UNIT + 3;
  }

  get height() {
    return 3 + this.rows * UNIT + this.below;
  }

  get viewBox() {
    return `${-this.left} -3 ${this.width} ${this.height}`;
  }

  squares() {
    return [...this.#squares.values()];
  }

  square(name) {
    return this.#squares.get(name);
  }

  // The rows as they are seen, from the top, each from the left.
  rowsSeen() {
    const rows = Array.from({ length: this.rows }, () => []);
    for (const square of this.squares()) rows[square.down].push(square);
    for (const row of rows) row.sort((one, other) => one.across - other.across);
    return rows.filter((row) => row.length > 0);
  }

  // The next square in a direction; where the grid has a hole, one beside it, so that every square can be walked to.
  next(name, across, down) {
    const from = this.square(name);
    const [aside, along] = [Math.abs(down), Math.abs(across)];
    const near = [0, 1, -1].map((side) => `${from.across + across + side * aside},${from.down + down + side * along}`);
    return near.map((place) => this.#places.get(place)).find(Boolean) ?? name;
  }

  // Names of ranks left of their first square, of files below their last; of squares that belong to neither, beside them.
  labels() {
    const labels = [];
    const regular = this.squares().filter(({ name }) => parts(name) && !this.#strays.has(name));
    const first = (key, better) => {
      const found = new Map();
      for (const square of regular) {
        const kept = found.get(square[key]);
        if (!kept || better(square, kept)) found.set(square[key], square);
      }
      return found.values();
    };
    for (const square of first("down", (one, other) => one.across < other.across)) {
      labels.push({ text: parts(square.name).rank, x: square.x - 10, y: square.y + UNIT / 2 + 4.5 });
    }
    for (const square of first("across", (one, other) => one.down > other.down)) {
      labels.push({ text: parts(square.name).file, x: square.x + UNIT / 2, y: square.y + UNIT + 14.5 });
    }
    for (const name of this.#strays) {
      const square = this.square(name);
      labels.push({ text: name, x: square.x + (square.across === 0 ? UNIT + 13 : -13), y: square.y + UNIT / 2 + 4.5 });
    }
    return labels;
  }
}
