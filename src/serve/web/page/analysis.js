// What the bot thinks: the chances as a bar, and the candidates.

import { isolated, number, say } from "./words.js";

// Chances of White, a draw and Black, from those of the side to move.
function chances([win, draw, loss], side) {
  return side === "white" ? [win, draw, loss] : [loss, draw, win];
}

function percent(share) {
  return `${Math.round(share * 100)}%`;
}

function bar() {
  const element = document.createElement("div");
  element.className = "bar";
  for (const name of ["white", "draw", "black"]) {
    const part = document.createElement("span");
    part.className = name;
    element.append(part);
  }
  return element;
}

// A bar is kept while its shares change: a click that begins on one that is gone when it ends is none.
function weigh(bar, shares) {
  shares.forEach((share, at) => (bar.children[at].style.flexGrow = share));
}

export class Analysis {
  #root;
  #listener;
  #pointed = null;

  // `listener.point(action)`: this candidate is looked at, or with `null` none; `listener.play(action)`.
  constructor(root, listener) {
    this.#root = root;
    this.#listener = listener;
    root.children[0].append(bar());
  }

  // `playable`: whether a person may play a candidate by a click.
  show(thought, side, playable) {
    const [chance, legend, candidates, searched] = this.#root.children;
    const silent = !thought?.value;
    this.#root.classList.toggle("silent", silent);
    if (silent) {
      this.look(null);
      candidates.replaceChildren();
      searched.textContent = say("waiting");
      return;
    }
    const shares = chances(thought.value, side);
    weigh(chance.firstChild, shares);
    legend.replaceChildren(...shares.map((share, at) => legendEntry(["white", "draw", "black"][at], percent(share))));
    legend.setAttribute("aria-label", say("value"));
    searched.textContent = say("searched", { n: isolated(number(thought.playouts)) });
    this.#list(candidates, thought.candidates, side, playable);
  }

  // Rows are kept while their number is the same, so that one that is pointed at stays under the pointer.
  #list(list, candidates, side, playable) {
    const all = candidates.reduce((sum, { visits }) => sum + visits, 0) || 1;
    while (list.children.length > candidates.length) list.lastChild.remove();
    while (list.children.length < candidates.length) list.append(this.#row());
    candidates.forEach((candidate, at) => {
      const button = list.children[at].firstChild;
      const [action, visits, shares, line] = button.children;
      button.dataset.candidate = candidate.action;
      button.setAttribute("aria-disabled", String(!playable));
      action.textContent = candidate.action;
      visits.textContent = number(candidate.visits);
      visits.style.setProperty("--share", candidate.visits / all);
      const portions = chances(candidate.wdl, side);
      weigh(shares.firstChild, portions);
      shares.title = portions.map(percent).join(" · ");
      line.textContent = [proof(candidate), candidate.line.slice(1, 6).join(" ")].filter(Boolean).join(" ");
    });
    if (this.#pointed !== null) this.look(list.children[this.#pointed]?.firstChild.dataset.candidate ? this.#pointed : null);
  }

  #row() {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    for (const name of ["action", "visits", "shares", "line"]) {
      const part = document.createElement("span");
      part.className = name;
      if (name === "shares") part.append(bar());
      else part.dir = "ltr";
      button.append(part);
    }
    const at = () => [...row.parentElement.children].indexOf(row);
    button.addEventListener("pointerenter", () => this.look(at()));
    button.addEventListener("focus", () => this.look(at()));
    button.addEventListener("pointerleave", () => this.look(null));
    button.addEventListener("blur", () => this.look(null));
    button.addEventListener("click", () => this.#listener.play(button.dataset.candidate));
    row.append(button);
    return row;
  }

  look(at) {
    this.#pointed = at;
    const row = at === null ? null : this.#root.children[2].children[at];
    this.#listener.point(row?.firstChild.dataset.candidate ?? null);
  }
}

function legendEntry(name, share) {
  const part = document.createElement("span");
  part.className = name;
  const words = document.createElement("span");
  words.textContent = name === "draw" ? say("draw") : say(name);
  const value = document.createElement("b");
  value.dir = "ltr";
  value.textContent = share;
  part.append(words, value);
  return part;
}

function proof({ proof, plies }) {
  if (!proof) return null;
  const words = say(`proof_${proof}`);
  return plies == null ? words : say("proofIn", { proof: words, n: isolated(plies) });
}
