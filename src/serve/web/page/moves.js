// The list of moves, a row for White's turn and Black's; a series stands in one cell. A click on a move looks at the position after it.

import { say } from "./words.js";

// Actions in turns: consecutive ones of a side together, each with its number.
function turns(moves) {
  const turns = [];
  for (const [at, { action, side }] of moves.entries()) {
    if (turns.at(-1)?.side !== side) turns.push({ side, actions: [] });
    turns.at(-1).actions.push({ action, after: at + 1 });
  }
  return turns;
}

function cell(actions) {
  const cell = document.createElement("span");
  cell.className = "cell";
  for (const { action, after } of actions ?? []) {
    const move = document.createElement("button");
    move.type = "button";
    move.className = "move";
    move.dataset.after = after;
    move.textContent = action;
    cell.append(move);
  }
  return cell;
}

export class Moves {
  #list;
  #moves = null;
  #buttons = [];

  // `look(after)`: the position after so many moves shall be looked at.
  constructor(list, look) {
    this.#list = list;
    list.addEventListener("click", (event) => {
      const move = event.target.closest(".move");
      if (move) look(Number(move.dataset.after));
    });
  }

  // `after`: how many of the moves led to what the board shows. Tab comes to the last of them.
  show(moves, after) {
    const focused = this.#list.contains(document.activeElement);
    if (this.#moves !== moves) this.#fill(moves);
    for (const [at, button] of this.#buttons.entries()) {
      if (at + 1 === after) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      button.tabIndex = at === Math.max(after - 1, 0) ? 0 : -1;
    }
    this.#list.dataset.none = moves.length === 0 ? say("noMoves") : "";
    const current = this.#buttons[Math.max(after - 1, 0)];
    if (!current) return;
    if (focused) current.focus({ preventScroll: true });
    this.#reveal(current);
  }

  #fill(moves) {
    const rows = [];
    for (const { side, actions } of turns(moves)) {
      if (side === "white" || rows.length === 0) rows.push({ white: null, black: null });
      rows.at(-1)[side] = actions;
    }
    this.#list.replaceChildren(
      ...rows.map((row, at) => {
        const item = document.createElement("li");
        const number = document.createElement("span");
        number.className = "number";
        number.textContent = at + 1;
        item.append(number, cell(row.white), cell(row.black));
        return item;
      }),
    );
    this.#moves = moves;
    this.#buttons = [...this.#list.querySelectorAll(".move")];
  }

  // The list alone is scrolled, never the page.
  #reveal(button) {
    const [list, row] = [this.#list.getBoundingClientRect(), button.closest("li").getBoundingClientRect()];
    if (row.top < list.top) this.#list.scrollTop -= list.top - row.top;
    else if (row.bottom > list.bottom) this.#list.scrollTop += row.bottom - list.bottom;
  }
}
