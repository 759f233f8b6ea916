// A game on a board: steps through its plies, with what the search found at each.

import { Board } from "/assets/board.js";
import { Graph } from "/assets/graph.js";
import { kindActionName, reasonName, say } from "/assets/words.js";
import { Zones } from "/assets/zones.js";
import { signed, term } from "./terms.js";

const NO_CHOICE = { selected: null, targets: new Map(), sources: new Set(), badges: [] };
const HOW = { full: "full", cheap: "cheap", opening: "openingMove", forced: "forced" };

const STAGE = `
  <div class="table">
    <div class="zone far" id="zone-far" role="group" dir="ltr"></div>
    <div class="arena" dir="ltr"><svg id="board" role="grid" data-say-label="board"></svg></div>
    <div class="zone near" id="zone-near" role="group" dir="ltr"></div>
  </div>
  <svg class="graph" id="graph" role="img"></svg>
  <div class="actions steps" dir="ltr">
    <button type="button" class="icon" id="first" data-term-label="first">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 5 V19 M18 5 L10 12 L18 19" /></svg>
    </button>
    <button type="button" class="icon" id="previous" data-term-label="previous">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M16 5 L8 12 L16 19" /></svg>
    </button>
    <span id="count" dir="auto"></span>
    <button type="button" class="icon" id="next" data-term-label="next">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M8 5 L16 12 L8 19" /></svg>
    </button>
    <button type="button" class="icon" id="last" data-term-label="last">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M18 5 V19 M6 5 L14 12 L6 19" /></svg>
    </button>
    <button type="button" id="turn" data-term="turn"></button>
  </div>
  <p id="turn-of" role="status"></p>
  <p id="decision"></p>
  <table id="candidates" dir="ltr">
    <thead>
      <tr>
        <th scope="col" data-term="move"></th>
        <th scope="col" data-term="visits"></th>
        <th scope="col" data-term="policy"></th>
        <th scope="col" data-term="value"></th>
      </tr>
    </thead>
    <tbody></tbody>
  </table>
`;

function at(id) {
  return document.getElementById(id);
}

// A square's name, or two, in an action's string: where it begins and ends.
function squaresOf(action, names) {
  return [...action.matchAll(/[a-z]+\d+/g)].map(([name]) => name).filter((name) => names.has(name));
}

function cell(row, text, kind = "td") {
  const made = document.createElement(kind);
  made.textContent = text;
  row.append(made);
  return made;
}

export class Viewer {
  #board;
  #zones;
  #graph;
  #stepped;
  #bot = null;
  #game = null;
  #near = "white";
  #ply = 0;

  // Fills the element `stage`. `stepped(ply)`: another ply is shown.
  constructor(stepped) {
    this.#stepped = stepped;
    at("stage").innerHTML = STAGE;
    this.#board = new Board(at("board"));
    this.#zones = new Zones({ far: at("zone-far"), near: at("zone-near") });
    this.#graph = new Graph(at("graph"), (ply) => this.step(ply));
    const steps = { first: () => 0, previous: () => this.#ply - 1, next: () => this.#ply + 1, last: () => Infinity };
    for (const [name, where] of Object.entries(steps)) at(name).addEventListener("click", () => this.step(where()));
    at("turn").addEventListener("click", () => {
      this.#near = this.#near === "white" ? "black" : "white";
      this.#board.lay(this.#bot, this.#near);
      this.show();
    });
    document.addEventListener("keydown", (event) => this.#key(event, steps));
  }

  #key(event, steps) {
    if (!this.#game || event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select")) return;
    const name = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!name) return;
    event.preventDefault();
    this.step(steps[name]());
  }

  get plies() {
    return this.#game ? this.#game.plies.length - 1 : 0;
  }

  get ply() {
    return this.#ply;
  }

  // Shows a game of `bot`'s rules at a ply.
  open(bot, game, ply) {
    this.#bot = bot;
    this.#game = game;
    this.#board.forget();
    this.#board.lay(bot, this.#near);
    this.#ply = Math.min(Math.max(ply, 0), this.plies);
    this.show();
  }

  close() {
    this.#game = null;
    at("viewer").hidden = true;
  }

  step(ply) {
    if (!this.#game) return;
    const wanted = Math.min(Math.max(ply, 0), this.plies);
    if (wanted === this.#ply) return;
    const near = Math.abs(wanted - this.#ply) === 1;
    this.#ply = wanted;
    this.show(near ? "glide" : "still");
    this.#stepped(wanted);
  }

  // Pieces as the board takes them, out of a letter for each place of the grid.
  #state() {
    const { rows, columns, squares } = this.#bot.board;
    const { placement, side, position, zones, marks } = this.#game.plies[this.#ply];
    const pieces = [];
    for (const { name, row, column } of squares) {
      const letter = row < rows && column < columns ? placement[row * columns + column] : ".";
      if (letter === ".") continue;
      const kind = letter.toUpperCase();
      pieces.push({ square: name, kind, side: letter === kind ? "white" : "black" });
    }
    const names = new Set(squares.map(({ name }) => name));
    const before = this.#game.plies[this.#ply - 1]?.decision.action;
    return { side, position, pieces, marks, zones: { white: zones[0], black: zones[1] }, last: before ? squaresOf(before, names) : [], check: null };
  }

  show(how = "still") {
    if (!this.#game) return;
    at("viewer").hidden = false;
    const state = this.#state();
    this.#board.show(state, how);
    this.#zones.show(this.#bot, state, this.#near, NO_CHOICE);
    this.#graph.show(this.#game.plies.map(({ decision }) => ({ value: shares(decision) })), this.#ply);
    const { generation, index, result, reason } = this.#game;
    at("game-name").textContent = `${this.#game.run} ${generation}-${index}`;
    at("game-end").textContent = term("ended", { result: say(result === "draw" ? "draw" : `wins_${result}`), reason: reasonName(this.#bot, reason) });
    at("count").textContent = term("ofPlies", { at: this.#ply, n: this.plies });
    this.#showDecision(this.#game.plies[this.#ply]);
  }

  #showDecision({ side, decision }) {
    const table = at("candidates");
    table.tBodies[0].replaceChildren();
    table.hidden = !decision || decision.candidates.length === 0;
    if (!decision) {
      at("turn-of").textContent = at("game-end").textContent;
      at("decision").textContent = "";
      return;
    }
    const value = decision.value === null ? "" : ` · ${term("value_white", { v: signed(decision.value) })}`;
    at("turn-of").textContent = `${say(`toMove_${side}`)}${value}`;
    const how = `${term(HOW[decision.decision])} · ${kindActionName(this.#bot, decision.kind)}`;
    const prior = decision.prior === null ? null : `${(100 * decision.prior).toFixed(1)}%`;
    at("decision").textContent = term(prior ? "chosen" : "noPrior", { action: decision.action, how, prior });
    for (const { action, visits, q, policy } of decision.candidates) {
      const row = table.tBodies[0].insertRow();
      row.classList.toggle("chosen", action === decision.action);
      cell(row, action, "th").scope = "row";
      cell(row, visits);
      cell(row, `${(100 * policy).toFixed(1)}%`);
      cell(row, q === null ? "" : signed(q));
    }
  }
}

// White's chances as a curve takes them, out of win less loss; none where nothing was searched.
function shares(decision) {
  if (!decision || decision.value === null) return null;
  return { shares: [(1 + decision.value) / 2, 0, (1 - decision.value) / 2] };
}
