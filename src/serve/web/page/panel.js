// The panel beside the board: what is going on, who plays and how strongly, and the names at the board's ends.

import { Levels, VARIETIES } from "./levels.js";
import { written } from "./notation.js";
import { count, gameName, isolated, number, reasonName, say } from "./words.js";

const SIDES = ["white", "black"];
const PLAYERS = ["person", "bot"];

function at(id) {
  return document.getElementById(id);
}

// One of several that exclude each other, called by the words of `key`.
function choice(name, value, key, chosen) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name, value });
  input.addEventListener("change", chosen);
  const words = document.createElement("span");
  words.dataset.say = key;
  label.append(input, words);
  return label;
}

// How long a move takes, as far as that is known.
function duration(seconds) {
  if (seconds < 0.1) return say("secondsFew");
  return say("seconds", { n: isolated(seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)) });
}

export class Panel {
  #match;
  #levels = new Levels(200, { playouts: 200, seconds: 1 });

  constructor(match) {
    this.#match = match;
    for (const side of SIDES) {
      at(`player-${side}`).append(...PLAYERS.map((player) => choice(`player-${side}`, player, player, () => match.seat(side, player))));
    }
    at("variety").append(...Object.keys(VARIETIES).map((variety) => choice("variety", variety, `variety_${variety}`, () => (match.variety = variety))));
    at("level").addEventListener("input", () => {
      match.level = this.#levels.at(at("level").valueAsNumber);
      this.#showLevel();
    });
  }

  // The strengths of another bot; the one that was chosen is kept as far as it goes.
  offer() {
    const { its, limits, level } = this.#match;
    this.#levels = new Levels(its.playouts, limits);
    at("level").max = this.#levels.count - 1;
    at("level").value = this.#levels.indexOf(level);
    this.#match.level = this.#levels.at(at("level").valueAsNumber);
    this.#showLevel();
  }

  #showLevel() {
    const { level, pace, limits } = this.#match;
    const name = say(Levels.nameOf(level));
    const cost = level.seconds
      ? [duration(level.seconds)]
      : [count("playouts", level.playouts), ...(pace === null ? [] : [duration(Math.min(level.playouts / pace, limits.seconds))])];
    const words = [name, ...cost].join(say("comma"));
    at("level-words").textContent = words;
    at("level").setAttribute("aria-valuetext", words);
  }

  // `near`: the side at the bottom.
  show(near) {
    const match = this.#match;
    if (!match.its) return;
    this.#showLevel();
    at("game-name").textContent = gameName(match.its);
    for (const side of SIDES) at(`player-${side}`).querySelector(`[value="${match.players[side]}"]`).checked = true;
    at("variety").querySelector(`[value="${match.variety}"]`).checked = true;
    this.#showSeat("near", near);
    this.#showSeat("far", near === "white" ? "black" : "white");
    if (!match.state) return;
    at("status").textContent = this.#status();
    at("status").dataset.result = match.state.outcome ? (match.state.outcome.winner ?? "draw") : "";
    at("status").dataset.reason = match.state.outcome?.reason ?? "";
    at("take-back").disabled = match.takenBack === 0;
    at("redo").disabled = !match.redoable;
    this.#showPause();
  }

  #showSeat(end, side) {
    const { players, its, state, past, searching } = this.#match;
    const seat = at(`seat-${end}`);
    seat.dataset.side = side;
    seat.classList.toggle("moving", past ? past.side === side : state?.side === side && !state.outcome);
    seat.classList.toggle("thinking", searching === "move" && state?.side === side);
    seat.textContent = players[side] === "bot" ? isolated(its.name) : say("person");
    seat.setAttribute("aria-label", `${say(side)}${say("comma")}${seat.textContent}`);
  }

  #showPause() {
    const { searching, waiting } = this.#match;
    const pause = at("pause");
    pause.hidden = !(waiting || searching === "move");
    pause.textContent = say(waiting ? "goOn" : "pause");
    pause.classList.toggle("primary", waiting);
  }

  #status() {
    const { state, past, led, players, its, searching, waiting, thought } = this.#match;
    if (past?.after === 0) return say("pastStart");
    if (past) {
      const last = led.at(-1);
      const action = isolated(written(its, last, past.outcome?.reason === "checkmate"));
      return say(`${past.moves ? "beside" : "past"}_${last.side}`, { action });
    }
    if (state.outcome) {
      const { winner, reason } = state.outcome;
      return `${say(winner ? `wins_${winner}` : "draw")}${say("comma")}${reasonName(its, reason)}`;
    }
    const who = say(`toMove_${state.side}`) + (state.check ? `${say("comma")}${say("check")}` : "");
    if (waiting) return say("paused", { who });
    if (searching === "move") {
      const words = say("thinking", { name: isolated(its.name) });
      return thought ? `${words} (${isolated(number(thought.playouts))})` : words;
    }
    if (state.moves.at(-1)?.side === state.side) return say("series", { who });
    const alone = players.white !== players.black && players[state.side] === "person";
    return alone ? `${say("yourMove")} (${say(state.side)})${state.check ? `${say("comma")}${say("check")}` : ""}` : who;
  }
}
