// The board as an SVG drawing: grounds that can be focused, pieces, and what is shown upon them.

import { Geometry, UNIT } from "./geometry.js";
import { piece } from "./pieces.js";
import { kindName, pieceName, say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const GLIDE = { duration: 170, easing: "ease-out" };
const LAYERS = ["frame", "grounds", "lines", "labels", "pieces", "marks", "hints", "arrows", "badges"];

// What a board shows besides its squares: the row above which a line crosses it.
const DITCHES = { shatra: 7 };

function make(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// The kind that a mark says a piece is like, if it does.
function alike(mark) {
  return /^like_(.)$/.exec(mark)?.[1];
}

export class Board {
  #svg;
  #layers = {};
  #squares = new Map();
  #pieces = new Map();
  #bot = null;
  #state = null;
  #geometry = null;
  #choice = { selected: null, targets: new Map(), sources: new Set(), badges: [] };

  constructor(svg) {
    this.#svg = svg;
    for (const layer of LAYERS) {
      this.#layers[layer] = make("g", { class: layer, "aria-hidden": layer === "grounds" || layer === "badges" ? "false" : "true" });
      svg.append(this.#layers[layer]);
    }
  }

  // Draws the empty board of `bot`, with the side `near` at the bottom.
  lay(bot, near) {
    const focused = this.#svg.contains(document.activeElement) ? document.activeElement.dataset.square : null;
    const kept = focused ?? this.#svg.querySelector('[tabindex="0"]')?.dataset.square;
    this.#bot = bot;
    this.#geometry = new Geometry(bot.board, near);
    this.#svg.setAttribute("viewBox", this.#geometry.viewBox);
    this.#svg.dataset.near = near;
    this.#svg.dataset.game = bot.game;
    this.#svg.parentElement.style.setProperty("--ratio", this.#geometry.width / this.#geometry.height);
    this.#svg.parentElement.style.setProperty("--across", this.#geometry.width / UNIT);
    for (const layer of Object.values(this.#layers)) layer.replaceChildren();
    this.#squares.clear();
    this.#pieces.clear();
    this.#layGrounds();
    this.#layLines();
    for (const { text, x, y } of this.#geometry.labels()) {
      const label = make("text", { x, y });
      label.textContent = text;
      this.#layers.labels.append(label);
    }
    const first = this.#squares.get(kept) ?? this.#squares.get(this.#geometry.rowsSeen().at(-1)[0].name);
    first.setAttribute("tabindex", "0");
    if (focused) this.focus(focused);
    if (this.#state) this.show(this.#state, "still");
  }

  #layGrounds() {
    for (const row of this.#geometry.rowsSeen()) {
      const group = make("g", { role: "row" });
      for (const square of row) {
        const { x, y } = square;
        this.#layers.frame.append(make("rect", { x: x - 2, y: y - 2, width: UNIT + 4, height: UNIT + 4, rx: 2 }));
        const shade = (square.row + square.column) % 2 === 0 ? "dark" : "light";
        const cell = make(
          "g",
          { class: `square ${shade} ground-${square.ground}`, role: "gridcell", tabindex: "-1", "data-square": square.name },
          make("rect", { class: "ground", x, y, width: UNIT, height: UNIT }),
          make("rect", { class: "tint", x, y, width: UNIT, height: UNIT }),
          make("circle", { class: "alarm", cx: x + UNIT / 2, cy: y + UNIT / 2, r: UNIT / 2 - 1.5 }),
          make("rect", { class: "ring", x: x + 1.5, y: y + 1.5, width: UNIT - 3, height: UNIT - 3, rx: 2 }),
        );
        this.#squares.set(square.name, cell);
        group.append(cell);
      }
      this.#layers.grounds.append(group);
    }
  }

  #layLines() {
    const below = DITCHES[this.#bot.game];
    if (below === undefined) return;
    const rows = this.#geometry.near === "white" ? this.#geometry.rows - below : below;
    const y = rows * UNIT;
    this.#layers.lines.append(make("line", { class: "ditch", x1: 0, x2: this.#geometry.columns * UNIT, y1: y, y2: y }));
  }

  // The next board shows nothing of this one's game.
  forget() {
    this.#state = null;
  }

  // Shows a state of the game. `how`: "glide", or "still" where nothing shall move.
  show(state, how) {
    const before = this.#pieces;
    this.#state = state;
    this.#svg.dataset.position = state.position;
    this.#pieces = new Map();
    this.#layers.pieces.replaceChildren();
    for (const { square, kind, side } of state.pieces) this.#pieces.set(square, { kind, side, node: this.#setPiece(square, kind, side) });
    if (how === "glide" && !calm()) this.#glide(before);
    this.#showMarks();
    this.refresh();
  }

  #setPiece(square, kind, side) {
    const { x, y } = this.#geometry.square(square);
    const node = piece(this.#bot.game, kind, side);
    node.dataset.piece = `${side} ${kind}`;
    node.style.transform = `translate(${x}px, ${y}px)`;
    this.#layers.pieces.append(node);
    return node;
  }

  // Lets pieces slide from where they stood, and new ones appear.
  #glide(before) {
    const gone = [...before].filter(([square, { side, kind }]) => {
      const now = this.#pieces.get(square);
      return now?.side !== side || now?.kind !== kind;
    });
    for (const [square, { side, kind, node }] of this.#pieces) {
      const old = before.get(square);
      if (old?.side === side && old?.kind === kind) continue;
      const last = this.#state.last ?? [];
      const from = gone.findIndex(([was, { side: its, kind: what }]) => its === side && (what === kind || (last[0] === was && last.at(-1) === square)));
      if (from < 0 || (old && old.side === side)) {
        node.animate([{ opacity: 0 }, { opacity: 1 }], GLIDE);
        continue;
      }
      const start = this.#geometry.square(gone.splice(from, 1)[0][0]);
      const end = this.#geometry.square(square);
      this.#layers.pieces.append(node);
      node.animate(
        [{ transform: `translate(${start.x}px, ${start.y}px)` }, { transform: `translate(${end.x}px, ${end.y}px)` }],
        GLIDE,
      );
    }
  }

  #showMarks() {
    this.#layers.marks.replaceChildren();
    for (const { square, mark } of this.#state.marks) {
      const { x, y } = this.#geometry.square(square);
      const drawings = {
        climber: () => make("path", { class: "climber", d: `M${x + 37.5} ${y + 8.5} l4 -4.5 l4 4.5` }),
        reserve: () => make("circle", { class: "reserve", cx: x + 42.5, cy: y + 6, r: 2.6 }),
        jumped: () => make("path", { class: "jumped", d: `M${x + 9} ${y + 9} l30 30 m0 -30 l-30 30` }),
        jumper: () => make("rect", { class: "jumper", x: x + 2, y: y + 2, width: UNIT - 4, height: UNIT - 4, rx: 3 }),
        unmoved: () => make("circle", { class: "unmoved", cx: x + 42.5, cy: y + 6, r: 2 }),
      };
      if (alike(mark)) this.#layers.marks.append(this.#likeness(x, y, alike(mark), this.#pieces.get(square).side));
      if (drawings[mark]) this.#layers.marks.append(drawings[mark]());
      if (mark === "jumped") this.#pieces.get(square)?.node.classList.add("faded");
    }
  }

  // A small piece in the corner of another one: what that one is for now.
  #likeness(x, y, kind, side) {
    const picture = piece(this.#bot.game, kind, side);
    picture.setAttribute("transform", `translate(${x + 28.6} ${y + 28}) scale(0.36)`);
    return make("g", {}, make("circle", { class: "likeness", cx: x + 37.2, cy: y + 37, r: 10 }), picture);
  }

  // Shows what is chosen and where it can go. `choice`: selected place, targets (place to actions), sources (places), badges (actions on the spot).
  choose(choice) {
    this.#choice = choice;
    this.refresh();
  }

  refresh() {
    if (!this.#state) return;
    const { selected, targets, sources, badges } = this.#choice;
    const last = new Set(this.#state.last ?? []);
    this.#layers.hints.replaceChildren();
    for (const [name, cell] of this.#squares) {
      cell.classList.toggle("last", last.has(name));
      cell.classList.toggle("check", name === this.#state.check);
      cell.classList.toggle("mate", name === this.#state.check && this.#isMate);
      cell.classList.toggle("selected", name === selected);
      cell.classList.toggle("source", sources.has(name));
      cell.classList.toggle("target", targets.has(name));
      cell.setAttribute("aria-selected", String(name === selected));
      cell.setAttribute("aria-label", this.#describe(name));
      if (targets.has(name)) this.#layers.hints.append(this.#hint(name));
    }
    this.#layers.badges.replaceChildren(...badges.map((action, at) => this.#badge(action, at)));
  }

  get #isMate() {
    return this.#state.outcome?.reason === "checkmate";
  }

  #hint(name) {
    const { x, y } = this.#geometry.square(name);
    const centre = { cx: x + UNIT / 2, cy: y + UNIT / 2 };
    return this.#pieces.has(name) ? make("circle", { ...centre, class: "capture", r: 21.5 }) : make("circle", { ...centre, class: "dot", r: 7 });
  }

  // A small piece at the corner of his square: what the piece there would become.
  #badge(action, at) {
    const { x, y } = this.#geometry.square(action.to);
    const side = this.#state.side;
    const [cx, cy] = [
      Math.min(Math.max(x + UNIT - 2 - at * 30, 14), this.#geometry.columns * UNIT - 14),
      Math.max(y + 2, 14),
    ];
    const kind = action.choice?.toUpperCase() ?? "";
    const picture = piece(this.#bot.game, kind, side);
    picture.setAttribute("transform", `translate(${cx - 11.5} ${cy - 12}) scale(0.48)`);
    return make(
      "g",
      { class: "badge", role: "button", tabindex: "0", "data-action": action.action, "aria-label": say("climb", { piece: pieceName(this.#bot, kind, side) }) },
      make("circle", { cx, cy, r: 14 }),
      picture,
    );
  }

  // A square in words.
  #describe(name) {
    const found = this.#pieces.get(name);
    const words = [name, found ? pieceName(this.#bot, found.kind, found.side) : say("empty")];
    for (const { square, mark } of this.#state.marks) if (square === name) words.push(this.#markWords(mark));
    if (name === this.#state.check) words.push(say(this.#isMate ? "checkmate" : "check"));
    if (name === this.#choice.selected) words.push(say("isSelected"));
    else if (this.#choice.targets.has(name)) words.push(say("isTarget"));
    else if (this.#choice.sources.has(name)) words.push(say("canMove"));
    return words.join(say("comma"));
  }

  #markWords(mark) {
    const kind = alike(mark);
    return kind ? say("mark_like", { kind: kindName(this.#bot, kind) }) : say(`mark_${mark}`);
  }

  manAt(square) {
    return this.#pieces.get(square);
  }

  // Draws an action of the side to move, or with `null` none.
  point(action) {
    this.#layers.arrows.replaceChildren();
    if (!action?.to) return;
    const to = this.#geometry.square(action.to);
    const [x, y] = [to.x + UNIT / 2, to.y + UNIT / 2];
    if (action.from === action.to || action.from.startsWith("zone:")) {
      const kind = action.from === action.to ? action.choice?.toUpperCase() : action.from.slice("zone:".length);
      const picture = piece(this.#bot.game, kind ?? "", this.#state.side);
      picture.setAttribute("transform", `translate(${to.x} ${to.y})`);
      this.#layers.arrows.append(make("circle", { class: "spot", cx: x, cy: y, r: 22 }), picture);
      return;
    }
    const from = this.#geometry.square(action.from);
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy);
    const turn = (Math.atan2(dy, dx) * 180) / Math.PI;
    const d = `M12 -4 H${length - 16} V-12 L${length + 2} 0 L${length - 16} 12 V4 H12 Z`;
    this.#layers.arrows.append(
      make("path", { class: "arrow", d, transform: `translate(${from.x + UNIT / 2} ${from.y + UNIT / 2}) rotate(${turn})` }),
    );
  }

  // While a piece is dragged his place is empty.
  lift(square) {
    for (const [name, { node }] of this.#pieces) node.classList.toggle("lifted", name === square);
  }

  // Moves the focus, and with it the one square that Tab comes to.
  focus(name) {
    for (const cell of this.#squares.values()) cell.setAttribute("tabindex", "-1");
    const cell = this.#squares.get(name);
    cell.setAttribute("tabindex", "0");
    cell.focus({ preventScroll: true });
  }

  step(from, across, down) {
    return this.#geometry.next(from, across, down);
  }

  // The rectangle of a square on the screen.
  rectangle(name) {
    return this.#squares.get(name).querySelector(".ground").getBoundingClientRect();
  }

  // The width of a square on the screen, in pixels.
  size() {
    return this.rectangle(this.#squares.keys().next().value).width;
  }
}
