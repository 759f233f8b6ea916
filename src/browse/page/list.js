// The games that fit the filter, newest first, and the filter.

import { kindActionName, reasonName } from "/assets/words.js";
import { addressOf } from "./address.js";
import { term } from "./terms.js";

const SHOWN_ACTIONS = 6;
const REASONS = ["checkmate", "stalemate", "king_captured", "no_action", "no_progress", "insufficient", "repetition", "max_plies", "resignation", "agreement", "cut_off"];
const PAGE = 50;

function at(id) {
  return document.getElementById(id);
}

function choose(select, choices, chosen) {
  const options = choices.map(([value, words]) => new Option(words, value, false, value === chosen));
  select.replaceChildren(...options);
  select.value = chosen;
}

// Shows a row for each game, which leads to `address(game)`; `open`: the game on the board.
export function fillRows(body, games, address, bot, open) {
  body.replaceChildren();
  for (const game of games) {
    const row = body.insertRow();
    const is = open?.generation === game.generation && open?.index === game.index;
    row.classList.toggle("chosen", is);
    const link = document.createElement("a");
    link.textContent = `${game.generation}-${game.index}`;
    link.href = address(game);
    if (is) link.setAttribute("aria-current", "true");
    row.insertCell().append(link);
    row.insertCell().textContent = term(game.result);
    const reason = row.insertCell();
    reason.className = "text";
    reason.textContent = reasonName(bot, game.reason);
    row.insertCell().textContent = game.plies;
    const opening = row.insertCell();
    opening.className = "text";
    opening.dir = "ltr";
    opening.textContent = game.opening.slice(0, SHOWN_ACTIONS).join(" ");
  }
}

export class List {
  #changed;

  // `changed(filter)`: other games are wanted.
  constructor(changed) {
    this.#changed = changed;
    const form = at("filter");
    form.addEventListener("change", () => changed(this.#read()));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      changed(this.#read());
    });
    at("clear").addEventListener("click", () => changed({ run: form.elements.run.value }));
  }

  #read() {
    const filter = {};
    for (const [name, value] of new FormData(at("filter"))) if (value.trim()) filter[name] = value.trim();
    return filter;
  }

  // Shows what is wanted, and what it can be chosen from.
  showFilter(filter, runs, bot) {
    const { elements } = at("filter");
    choose(elements.run, runs.map(({ name }) => [name, name]), filter.run);
    choose(elements.result, ["", "white", "draw", "black"].map((result) => [result, term(result || "any")]), filter.result ?? "");
    const reasons = REASONS.map((reason) => [reason, bot ? reasonName(bot, reason) : reason]);
    choose(elements.reason, [["", term("any")], ...reasons], filter.reason ?? "");
    const kinds = Object.keys(bot?.words.kinds ?? {}).map((kind) => [kind, kindActionName(bot, kind)]);
    choose(elements.kind, [["", term("any")], ...kinds], filter.kind ?? "");
    for (const name of ["min_plies", "max_plies", "from", "to", "opening"]) elements[name].value = filter[name] ?? "";
  }

  // `answer`: total, offset and games; `open`: the game on the board.
  show(answer, filter, bot, open) {
    const { total, offset, games } = answer;
    const last = offset + games.length;
    at("found").textContent = total === 0 ? term("none") : term("page", { first: offset + 1, last, n: total });
    fillRows(at("list").tBodies[0], games, (game) => addressOf({ filter, game, ply: 0 }), bot, open);
    this.#turnPages(filter, offset, last, total);
  }

  #turnPages(filter, offset, last, total) {
    const turn = (id, start, open) => {
      const link = at(id);
      link.hidden = !open;
      link.href = addressOf({ filter: { ...filter, offset: start > 0 ? String(start) : "" }, game: null });
    };
    turn("newer", Math.max(offset - PAGE, 0), offset > 0);
    turn("older", last, last < total);
  }
}
