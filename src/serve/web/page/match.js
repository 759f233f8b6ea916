// A game under way: which bot it is of, who plays each side, and what the program is asked for next.

import { USUAL_LEVEL, VARIETIES } from "./levels.js";

const SIDES = ["white", "black"];
// Seconds that a search must have lasted before its pace says anything.
const SHORTEST = 0.05;

export class Match {
  #wire;
  #listener;
  bots = [];
  limits = {};
  bot = 0;
  state = null;
  // The position that the board shows where that is an earlier one of the game, or one beside it: then with the `moves` that lead there.
  past = null;
  thought = null;
  // Who plays: "person" or "bot".
  players = { white: "person", black: "bot" };
  level = USUAL_LEVEL;
  // One of the varieties, by its name.
  variety = "little";
  analysing = false;
  // A bot that is to move waits until a person lets it go on.
  paused = false;
  // What the program searches for at the moment: "move", "analyse" or null.
  searching = null;
  // Whether an answer to an action is awaited.
  awaiting = false;
  // Playouts a second, as the last search had them; null before there was one.
  pace = null;
  #kept = null;
  // The game that was kept and gave way to a link.
  #spare = null;
  // Whether what is looked at stands beside the game, whatever happens in the game.
  #aside = false;
  // The lines that were left by taking back, the latest last.
  #undone = [];
  // What is being brought back: "record" or "link"; null where nothing is.
  #brought = null;
  // Whether the next state is one of another game.
  #renewed = false;
  // What went wrong before there was a game to show it beside.
  #early = null;
  // After how many moves the position is that shall be shown; null for the game as it stands.
  #wanted = null;
  // Whether such a position is awaited.
  #asked = false;
  // Whether something else is asked for as soon as the search that is being stopped has ended.
  #again = false;

  // `listener`: methods that are called with what happens: `ready(bots)`, `changed(state, renewed)`, `looked()`, `searched()`, `failed({ id, message })`, `lost()`.
  constructor(wire, listener) {
    this.#wire = wire;
    this.#listener = listener;
  }

  get its() {
    return this.bots[this.bot];
  }

  get over() {
    return this.state?.outcome != null;
  }

  // What there is to see.
  get sight() {
    return this.past ?? this.state;
  }

  // How many moves led to what is seen.
  get seen() {
    return this.past?.after ?? this.state.moves.length;
  }

  // The moves that led to what is seen.
  get led() {
    return this.past?.moves ?? this.state.moves.slice(0, this.seen);
  }

  // The position in which the game began: the record tells it.
  get start() {
    return /^\[start (.*)\]$/m.exec(this.state.record)[1];
  }

  // How many moves lead to what shall be seen.
  get looking() {
    return this.#wanted ?? this.state.moves.length;
  }

  // Whether a person may act now.
  get open() {
    return this.state !== null && this.past === null && this.#wanted === null && !this.over && !this.awaiting && this.#wire.connected && this.players[this.state.side] === "person";
  }

  // Whether it is a bot's turn, and the bot waits.
  get waiting() {
    return this.state !== null && !this.over && this.paused && this.players[this.state.side] === "bot";
  }

  // The side at the bottom: the person's, where there is one person.
  get near() {
    return this.players.white === "bot" && this.players.black === "person" ? "black" : "white";
  }

  hear(message) {
    const hear = { hello: this.#hello, state: this.#state, past: this.#past, thought: this.#thought, idle: this.#idle, error: this.#error }[message.type];
    hear?.call(this, message);
  }

  #hello({ bots, limits }) {
    this.bots = bots;
    this.limits = limits;
    this.searching = null;
    const kept = this.#kept;
    this.#kept = null;
    this.#listener.ready(bots);
    if (kept) this.#bring(kept);
    else this.begin(0, null);
  }

  // Brings a game back that was kept, or one that a link names.
  #bring({ name, ruleset, record, start, line, at, linked }) {
    const fits = (bot) => bot.ruleset === ruleset && (linked || bot.name === name);
    const named = this.bots.findIndex((bot) => fits(bot) && bot.name === name);
    const bot = named < 0 ? this.bots.findIndex(fits) : named;
    if (bot < 0) return linked && this.state ? this.#listener.failed({ id: "linkElsewhere" }) : this.#replace({ id: linked ? "linkElsewhere" : "unavailable" });
    this.#brought = linked ? "link" : "record";
    if (!linked) {
      this.bot = bot;
      this.#send({ type: "load", bot, record });
      return;
    }
    this.#renew();
    this.paused = true;
    this.#wanted = at;
    this.#send({ type: "new", bot, position: start, actions: line });
  }

  // Opens what a link names; null stands for one that names nothing.
  follow(link) {
    const there = this.#wire.connected && this.bots.length > 0;
    if (link === null && there) this.#listener.failed({ id: "linkWrong" });
    else if (link === null) this.#early = { id: "linkWrong" };
    else if (there) this.#bring({ ...link, linked: true });
    else {
      this.#spare = this.#kept;
      this.#kept = { ...link, linked: true };
    }
  }

  // Brings another game in place of one that is not to be had, and shows why.
  #replace(trouble) {
    const spare = this.#spare;
    this.#spare = null;
    this.#early = trouble;
    if (spare) this.#bring(spare);
    else this.begin(0, null);
  }

  #state(state) {
    this.state = state;
    this.#brought = null;
    this.#spare = null;
    if (this.#renewed) this.#undone = [];
    if (this.#wanted >= state.moves.length) this.#wanted = null;
    if (this.#wanted === null && !this.#aside) this.past = null;
    this.bot = state.bot;
    this.thought = null;
    this.awaiting = false;
    this.searching = null;
    this.#again = false;
    this.#listener.changed(state, this.#renewed);
    this.#renewed = false;
    if (this.#early) this.#listener.failed(this.#early);
    this.#early = null;
    this.#ask();
    this.#next();
  }

  #past(past) {
    this.#asked = false;
    if (this.#wanted === null) return;
    this.#aside = false;
    this.past = past;
    this.#listener.looked();
    this.#hold();
    this.#ask();
  }

  #thought(thought) {
    const known = new Set(this.state?.legal.map(({ action }) => action));
    if (!thought.candidates.every(({ action }) => known.has(action))) return;
    this.thought = thought;
    if (thought.seconds > SHORTEST) this.pace = thought.playouts / thought.seconds;
    // The end of the search before may be reported after this one was asked for.
    this.searching ??= this.players[this.state.side] === "bot" ? "move" : "analyse";
    this.#listener.searched();
  }

  #idle() {
    this.searching = null;
    if (!this.#again) return this.#listener.searched();
    this.#again = false;
    this.#next();
  }

  #error({ message, id }) {
    if (id === "idle") this.#wire.rest();
    this.awaiting = false;
    this.searching = null;
    this.#again = false;
    this.#asked = false;
    if (this.#wanted === null && !this.#aside) this.past = null;
    this.#wanted = this.#aside ? null : (this.past?.after ?? null);
    // The bot is not asked for again at once what it could not do.
    this.paused = true;
    const trouble = this.#brought === "link" ? { id: "linkWrong" } : { id, message };
    const replaced = this.#brought !== null && this.state === null;
    this.#brought = null;
    this.#renewed = false;
    if (replaced) return this.#replace(trouble);
    this.#listener.failed(trouble);
    this.#listener.searched();
  }

  // Keeps the game until the connection is there again.
  lose() {
    if (this.state) this.#kept = this.keepsake();
    this.searching = null;
    this.awaiting = false;
    this.#asked = false;
    this.#listener.lost();
  }

  // What brings the game back: here after a lost connection, or in a page that is opened again.
  keepsake() {
    return { name: this.its.name, ruleset: this.its.ruleset, record: this.state.record };
  }

  restore(keepsake) {
    this.#kept = keepsake;
  }

  #send(message) {
    this.awaiting = this.#wire.send(message) || this.awaiting;
  }

  // Shows the position after so many moves of the game, which goes on meanwhile.
  look(after) {
    if (!this.state) return;
    this.#wanted = after < this.state.moves.length ? Math.max(after, 0) : null;
    if (this.#wanted !== null) return this.#ask();
    this.#aside = false;
    if (this.past === null) return;
    this.past = null;
    this.#listener.looked();
    if (!this.searching) this.#next();
  }

  // Shows a position beside the game, by its state.
  show(state) {
    this.#wanted = null;
    this.#aside = true;
    this.past = { ...state, after: state.moves.length };
    this.#listener.looked();
    this.#hold();
  }

  // An analysis of the game as it stands is not needed while something else is looked at.
  #hold() {
    if (this.searching === "analyse") this.#again = this.#wire.send({ type: "stop" });
  }

  // Fast steps are answered one at a time, and those between are left out; before the answer to an action it is not known what there is to see.
  #ask() {
    if (this.#asked || this.awaiting || this.#wanted === null) return;
    if (this.#wanted === this.past?.after && !this.#aside) return;
    this.#asked = this.#wire.send({ type: "look", after: this.#wanted });
  }

  // What was looked at belongs to the game before.
  #renew() {
    this.#wanted = null;
    this.#aside = false;
    this.#renewed = true;
  }

  // Goes on from the position that is seen: takes back what was played after it, or plays what leads there.
  branch() {
    if (this.past === null || this.awaiting) return;
    const { after, moves } = this.past;
    this.paused = false;
    this.#wanted = null;
    this.#aside = false;
    this.#undone.push(this.#line);
    if (moves) this.#lay(moves.map(({ action }) => action));
    else this.#send({ type: "undo", after });
  }

  begin(bot, position) {
    this.paused = false;
    this.#renew();
    this.#send({ type: "new", bot, position, actions: [] });
  }

  // A record that is read is looked at first: no bot goes on by itself.
  load(record) {
    this.paused = true;
    this.#renew();
    this.#send({ type: "load", bot: this.bot, record });
  }

  get #line() {
    return this.state.moves.map(({ action }) => action);
  }

  // The game from its beginning, with these actions.
  #lay(line) {
    this.#send({ type: "new", bot: this.bot, position: this.start, actions: line });
  }

  play(action) {
    if (!this.open) return;
    this.paused = false;
    this.#send({ type: "play", action });
  }

  // The actions that are taken back: to the last one of a person, or the last one where none plays.
  get takenBack() {
    const moves = this.state?.moves ?? [];
    const last = moves.findLastIndex(({ side }) => this.players[side] === "person");
    if (SIDES.every((side) => this.players[side] === "bot")) return Math.min(moves.length, 1);
    return last < 0 ? 0 : moves.length - last;
  }

  takeBack() {
    const plies = this.takenBack;
    if (plies === 0) return;
    this.paused = SIDES.every((side) => this.players[side] === "bot");
    this.#wanted = null;
    this.#aside = false;
    this.#undone.push(this.#line);
    this.#send({ type: "undo", after: this.state.moves.length - plies });
  }

  // The line that was taken back last and goes on from the game as it stands, if there is one.
  get #left() {
    const line = this.state ? this.#line : [];
    return this.#undone.findLast((left) => left.length > line.length && line.every((action, at) => action === left[at]));
  }

  get redoable() {
    return this.#left !== undefined;
  }

  redo() {
    const left = this.#left;
    if (left === undefined || this.awaiting) return;
    this.#undone = this.#undone.filter((line) => line !== left);
    this.paused = SIDES.every((side) => this.players[side] === "bot");
    this.#wanted = null;
    this.#aside = false;
    this.#lay(left);
  }

  seat(side, player) {
    this.players[side] = player;
    this.#restart();
  }

  pause() {
    this.paused = true;
    this.#wire.send({ type: "stop" });
    this.#listener.searched();
  }

  goOn() {
    this.paused = false;
    if (this.searching) this.#again = true;
    else this.#next();
  }

  analyse(wanted) {
    this.analysing = wanted;
    if (this.searching === "move") this.#listener.searched();
    else this.#restart();
  }

  // What is searched for may be wanted no more: it is stopped, and asked for anew if it is.
  #restart() {
    if (!this.searching) return this.#next();
    this.#again = this.#wire.send({ type: "stop" });
  }

  // Asks the program for what comes next: a bot's move, or the analysis of a person's.
  #next() {
    if (this.state && !this.over && !this.searching && !this.awaiting) {
      const player = this.players[this.state.side];
      if (player === "bot" && !this.paused) this.#search({ type: "move", ...this.level, variety: VARIETIES[this.variety] });
      else if (player === "person" && this.analysing && this.past === null) {
        const { playouts, candidates } = this.limits;
        this.#search({ type: "analyse", playouts, candidates: Math.min(candidates, 5) });
      }
    }
    this.#listener.searched();
  }

  #search(message) {
    if (this.#wire.send(message)) this.searching = message.type;
  }
}
