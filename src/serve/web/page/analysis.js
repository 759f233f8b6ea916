// What the bot thinks: the chances as a bar, and the candidates, whose lines can be unfolded and played through.

import { bar, chances, percent, SHARES, weigh } from "./chances.js";
import { asMove, event, written } from "./notation.js";
import { isolated, number, say } from "./words.js";

export class Analysis {
  #root;
  #listener;
  #pointed = null;
  // The candidate whose line is unfolded, by its action; null where none is.
  #unfolded = null;

  // `listener.point(action)`: this candidate is looked at, or with `null` none; `listener.play(action)`;
  // `listener.explore(line, after)`: the position after the first moves of a line is to be shown.
  constructor(root, listener) {
    this.#root = root;
    this.#listener = listener;
    root.children[0].append(bar());
  }

  // `seen`: the `bot`, what there is to see and its legal actions; `playable`: whether a person may play a candidate by a click.
  // `note`: what is said where there is no thought.
  show(thought, seen, playable, note) {
    const [chance, legend, candidates, searched] = this.#root.children;
    const silent = !thought?.value;
    this.#root.classList.toggle("silent", silent);
    if (silent) {
      this.look(null);
      candidates.replaceChildren();
      searched.textContent = note;
      return;
    }
    const shares = chances(thought.value, seen.sight.side);
    weigh(chance.firstChild, shares);
    legend.replaceChildren(...shares.map((share, at) => legendEntry(SHARES[at], percent(share))));
    legend.setAttribute("aria-label", say("value"));
    searched.textContent = say("searched", { n: isolated(number(thought.playouts)) });
    this.#list(candidates, thought.candidates, seen, playable);
  }

  #list(list, candidates, seen, playable) {
    const all = candidates.reduce((sum, { visits }) => sum + visits, 0) || 1;
    while (list.children.length > candidates.length) list.lastChild.remove();
    while (list.children.length < candidates.length) list.append(this.#row());
    candidates.forEach((candidate, at) => this.#fill(list.children[at], candidate, all, seen, playable));
    if (this.#pointed !== null) this.look(list.children[this.#pointed]?.firstChild.dataset.candidate ? this.#pointed : null);
  }

  #fill(row, candidate, all, seen, playable) {
    const [button, unfold, moves] = row.children;
    const legal = seen.legal.find(({ action }) => action === candidate.action);
    const move = legal && asMove(legal, seen.sight);
    button.dataset.candidate = candidate.action;
    button.setAttribute("aria-disabled", String(!playable));
    button.title = [candidate.action, move && event(seen.bot, move)].filter(Boolean).join(" · ");
    const [action, visits, shares, line] = button.children;
    action.textContent = move ? written(seen.bot, move) : candidate.action;
    visits.textContent = number(candidate.visits);
    visits.style.setProperty("--share", candidate.visits / all);
    const portions = chances(candidate.wdl, seen.sight.side);
    weigh(shares.firstChild, portions);
    shares.title = portions.map(percent).join(" · ");
    line.textContent = [proof(candidate), candidate.line.slice(1, 6).join(" ")].filter(Boolean).join(" ");
    const open = this.#unfolded === candidate.action;
    unfold.setAttribute("aria-expanded", String(open));
    unfold.setAttribute("aria-label", say(open ? "fold" : "unfold", { action: isolated(action.textContent) }));
    unfold.title = unfold.getAttribute("aria-label");
    moves.hidden = !open;
    const key = open ? candidate.line.join(" ") : "";
    if (moves.dataset.key === key) return;
    // A line that is read keeps its buttons where its beginning stays.
    moves.dataset.key = key;
    const wanted = open ? candidate.line : [];
    while (moves.children.length > wanted.length) moves.lastChild.remove();
    wanted.forEach((words, after) => {
      if (!moves.children[after]) moves.append(this.#step(row, after));
      moves.children[after].textContent = after === 0 ? action.textContent : words;
    });
  }

  // A move of a line that is unfolded.
  #step(row, after) {
    const step = document.createElement("button");
    step.type = "button";
    step.className = "step";
    step.addEventListener("click", () => this.#listener.explore(row.children[2].dataset.key.split(" "), after + 1));
    return step;
  }

  #row() {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "candidate";
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
    const unfold = document.createElement("button");
    unfold.type = "button";
    unfold.className = "unfold";
    unfold.addEventListener("click", () => {
      const { candidate } = button.dataset;
      this.#unfolded = this.#unfolded === candidate ? null : candidate;
      this.#listener.refresh();
    });
    const moves = document.createElement("div");
    moves.className = "whole";
    moves.dir = "ltr";
    row.append(button, unfold, moves);
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
  words.textContent = say(name);
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
