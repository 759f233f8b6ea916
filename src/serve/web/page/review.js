// Looking over a game: the lines beside it, the analysis of what is looked at, and the value of every position.

import { chances, SHARES } from "./chances.js";
import { Tree } from "./tree.js";

// The playouts of a value that no search can better: the result.
const CERTAIN = Number.MAX_SAFE_INTEGER;

export class Review {
  #match;
  #study;
  #listener;
  #tree = new Tree();
  // The line that shall be shown, beside the game; null where none is.
  #wanted = null;
  // Positions of the game that are still to be evaluated, one after the other; null while nobody asked for it.
  #survey = null;

  // `study` is made with the callbacks of this class. `listener`: `changed()`, `failed({ id, message })`.
  constructor(match, makeStudy, listener) {
    this.#match = match;
    this.#listener = listener;
    this.#study = makeStudy({
      laid: (order, state) => this.#laid(order, state),
      thought: (order, thought) => this.#thought(order, thought),
      ended: (order) => this.#ended(order),
      failed: (trouble) => this.#failed(trouble),
    });
  }

  get tree() {
    return this.#tree;
  }

  // The node that is looked at.
  get node() {
    return this.#tree.follow(this.#match.led);
  }

  // The nodes of the line that is looked at, to its end: the game, or a variation and what follows it.
  get path() {
    const { state, past } = this.#match;
    let end = this.#tree.follow(past?.moves ?? state.moves);
    while (past?.moves && end.children.length > 0) end = end.children[0];
    return this.#tree.path(end);
  }

  // What the bot thinks of what is looked at.
  get thought() {
    const { past, thought } = this.#match;
    if (past === null) return thought;
    return this.#study.has(this.#order(this.#line)) ? this.#study.thought : null;
  }

  // The state of a position beside the game where a person may try moves; null where none may.
  get open() {
    const { past, analysing } = this.#match;
    if (past === null || !analysing || this.#survey) return null;
    return this.#study.has(this.#order(this.#line)) && !this.#study.state.outcome ? this.#study.state : null;
  }

  // How many positions of the game are evaluated, and how many there are; null while nobody asked for it.
  get progress() {
    if (this.#survey === null) return null;
    const all = this.#tree.path(this.#tree.follow(this.#match.state.moves)).length;
    return { done: all - this.#survey.length, all };
  }

  get #line() {
    return this.#match.led.map(({ action }) => action);
  }

  #order(line, playouts = 0) {
    const { its, start, limits } = this.#match;
    return { name: its.name, ruleset: its.ruleset, start, line, playouts, candidates: Math.min(limits.candidates, 5) };
  }

  // Takes in a state of the game. A game that is another one has a tree of its own: an empty one, or one that was kept.
  follow(state, renewed, kept = null) {
    if (renewed || kept) {
      this.#tree = Tree.restore(kept);
      this.#survey = null;
    }
    if (renewed) this.#wanted = null;
    const node = this.#tree.follow(state.moves);
    if (state.outcome) this.#tree.evaluate(node, { shares: SHARES.map((share) => Number(share === (state.outcome.winner ?? "draw"))), playouts: CERTAIN });
  }

  // Shows the position after the first `after` actions of a line, and keeps the whole line.
  explore(line, after = line.length) {
    const wanted = line.slice(0, after);
    const { state } = this.#match;
    if (wanted.every((action, at) => state.moves[at]?.action === action) && this.#tree.find(line)) return this.look(after);
    this.#survey = null;
    this.#wanted = wanted;
    this.#study.lay(this.#order(this.#tree.find(line) ? wanted : line));
  }

  // Shows a position of the game.
  look(after) {
    this.#wanted = null;
    this.#match.look(after);
  }

  // Whether what is looked at, or shall be, stands beside the game.
  get aside() {
    return this.#wanted !== null || this.#match.past?.moves !== undefined;
  }

  // Goes a step along the line beside the game that is looked at: "first", "previous", "next" or "last".
  step(name) {
    if (name === "last") return this.look(Infinity);
    const node = (this.#wanted && this.#tree.find(this.#wanted)) ?? this.node;
    const next = { first: this.#tree.root, previous: node.parent, next: node.children[0] }[name];
    if (next) this.explore(this.#tree.line(next));
  }

  // A move that is tried beside the game.
  play(action) {
    this.explore([...this.#line, action]);
  }

  // Has the study do what the page needs of it now.
  attend() {
    const { analysing, past, state } = this.#match;
    if (!state) return;
    if (this.#survey) return this.#next();
    if (this.#wanted) return;
    if (analysing && past !== null) this.#study.lay(this.#order(this.#line, this.#match.limits.playouts));
    else if (past?.moves) this.#study.lay(this.#order(this.#line));
    else if (analysing) this.#study.rest();
    else this.#study.leave();
  }

  #laid(order, state) {
    const node = this.#tree.follow(state.moves);
    if (this.#wanted === null) return this.#listener.changed();
    const wanted = this.#tree.find(this.#wanted);
    if (wanted !== node) {
      if (wanted) this.#study.lay(this.#order(this.#wanted));
      return;
    }
    this.#wanted = null;
    this.#match.show(state);
  }

  #thought(order, thought) {
    const node = this.#tree.find(order.line);
    const { side } = this.#study.state;
    if (node) this.#tree.evaluate(node, { shares: chances(thought.value, side), playouts: thought.playouts });
    if (!this.#survey) this.#listener.changed();
  }

  // Keeps what the bot thinks of the game as it stands.
  note(thought) {
    const { state } = this.#match;
    if (thought) this.#tree.evaluate(this.#tree.follow(state.moves), { shares: chances(thought.value, state.side), playouts: thought.playouts });
  }

  #ended(order) {
    if (!this.#survey) return;
    this.#survey = this.#survey.filter((node) => node !== this.#tree.find(order.line));
    this.#next();
    this.#listener.changed();
  }

  // Evaluates every position of the game that has no value yet, with the playouts that the bot's maker suggests.
  evaluate() {
    const { state } = this.#match;
    const path = this.#tree.path(this.#tree.follow(state.moves));
    const open = state.outcome ? path.slice(0, -1) : path;
    this.#survey = open.filter(({ value }) => value === null);
    this.#next();
    this.#listener.changed();
  }

  // Forgets what is beside the game.
  forget() {
    if (this.aside) this.look(Infinity);
    this.#tree.prune(this.#match.state.moves);
  }

  stop() {
    this.#survey = null;
    this.#listener.changed();
  }

  #next() {
    if (this.#survey.length === 0) {
      this.#survey = null;
      return;
    }
    const { its, limits } = this.#match;
    this.#study.lay(this.#order(this.#tree.line(this.#survey[0]), Math.min(its.playouts, limits.playouts)));
  }

  #failed(trouble) {
    this.#wanted = null;
    this.#survey = null;
    this.#listener.failed(trouble);
  }
}
