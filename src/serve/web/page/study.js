// A second place at the server, beside the one of the game: any line is laid out there and analysed while the game goes on.

import { Wire } from "./wire.js";

// A line that is so many moves longer is played on; one that differs more is laid out anew, by another bot.
const FEW = 3;
// What a person must come back for, before the server is asked again.
const RESTING = new Set(["full", "idle"]);

function game({ name, ruleset, start }) {
  return [name, ruleset, start].join(" ");
}

function key(order) {
  return [game(order), ...order.line].join(" ");
}

// How many actions two lines begin with alike.
function shared(line, other) {
  const end = line.findIndex((action, at) => action !== other[at]);
  return end < 0 ? line.length : end;
}

export class Study {
  #address;
  #listener;
  #wire = null;
  #bots = null;
  // The order that shall be followed, and the one that is laid out, as far as the server has answered.
  #wanted = null;
  #given = null;
  // Whether a position is awaited; what is heard until then belongs to the one before.
  #awaiting = false;
  #searching = false;
  state = null;
  thought = null;

  // `listener`: `laid(order, state)`, `thought(order, thought)`, `ended(order)`, `failed({ id, message })`.
  constructor(address, listener) {
    this.#address = address;
    this.#listener = listener;
  }

  // `order`: `name` and `ruleset` of the bot, `start`, the actions of the `line`, and `playouts` and `candidates` of the analysis, or 0 playouts for none.
  lay(order) {
    const same = this.#wanted && key(this.#wanted) === key(order) && this.#wanted.playouts === order.playouts;
    if (same) return;
    this.#wanted = order;
    this.#wire ??= new Wire(this.#address, { message: (message) => this.#hear(message), lost: () => this.#lose() });
    this.#follow();
  }

  // Whether this line is laid out.
  has(order) {
    return this.state !== null && !this.#awaiting && key(this.#given) === key(order);
  }

  // Nothing is asked of it for now.
  rest() {
    this.#wanted = null;
    if (this.#searching) this.#wire.send({ type: "stop" });
  }

  // Gives the place at the server back.
  leave() {
    this.#wire?.end();
    this.#wire = null;
    this.#wanted = null;
    this.#lose();
  }

  #lose() {
    this.#bots = this.#given = this.state = this.thought = null;
    this.#awaiting = this.#searching = false;
  }

  #hear(message) {
    const hear = { hello: this.#hello, state: this.#state, thought: this.#thought, idle: this.#idle, error: this.#error }[message.type];
    hear?.call(this, message);
  }

  #hello({ bots }) {
    this.#bots = bots;
    this.#follow();
  }

  #follow() {
    const wanted = this.#wanted;
    if (!wanted || !this.#bots || this.#awaiting) return;
    if (this.#given && key(this.#given) === key(wanted)) return this.#search();
    const message = this.#towards(wanted);
    if (message === null) return this.#fail({ id: "unavailable" });
    this.state = this.thought = null;
    this.#searching = false;
    this.#awaiting = this.#wire.send(message);
  }

  // The next message on the way to an order: a step from what is laid out keeps the bot, and what it has searched.
  #towards({ name, ruleset, start, line }) {
    const bot = this.#bots.findIndex((bot) => bot.name === name && bot.ruleset === ruleset);
    if (bot < 0) return null;
    const laid = this.#given && game(this.#given) === game({ name, ruleset, start }) ? this.#given.line : null;
    const common = laid === null ? 0 : shared(laid, line);
    if (laid === null || line.length - common > FEW) {
      this.#given = { name, ruleset, start, line: [] };
      return { type: "new", bot, position: start, actions: line };
    }
    return laid.length > common ? { type: "undo", after: common } : { type: "play", action: line[common] };
  }

  #search() {
    const { playouts, candidates } = this.#wanted;
    if (playouts === 0) {
      if (this.#searching) this.#wire.send({ type: "stop" });
    } else if (this.state && this.state.outcome === null) {
      this.#searching = this.#wire.send({ type: "analyse", playouts, candidates });
    }
  }

  #state(state) {
    this.#awaiting = false;
    this.state = state;
    this.#given = { ...this.#given, line: state.moves.map(({ action }) => action) };
    const wanted = this.#wanted;
    if (!wanted || key(wanted) !== key(this.#given)) return this.#follow();
    this.#listener.laid(wanted, state);
    if (this.#wanted !== wanted) return;
    if (state.outcome === null) this.#search();
    else this.#listener.ended(wanted);
  }

  #thought(thought) {
    if (this.#awaiting || !this.state) return;
    this.thought = thought;
    this.#listener.thought(this.#given, thought);
  }

  #idle() {
    if (this.#awaiting) return;
    this.#searching = false;
    this.#listener.ended(this.#given);
  }

  #error({ id, message }) {
    if (RESTING.has(id)) this.#wire.rest();
    this.#fail({ id, message });
  }

  #fail(trouble) {
    this.#wanted = this.#given = this.state = this.thought = null;
    this.#awaiting = this.#searching = false;
    this.#listener.failed(trouble);
  }
}
