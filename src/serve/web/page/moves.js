// The list of moves, a row for White's turn and Black's; a series stands in one cell.

import { say } from "./words.js";

// Actions in turns: consecutive ones of a side together.
function turns(moves) {
  const turns = [];
  for (const { action, side } of moves) {
    if (turns.at(-1)?.side !== side) turns.push({ side, actions: [] });
    turns.at(-1).actions.push(action);
  }
  return turns;
}

export function showMoves(list, moves) {
  const rows = [];
  for (const { side, actions } of turns(moves)) {
    if (side === "white" || rows.length === 0) rows.push({ white: null, black: null });
    rows.at(-1)[side] = actions;
  }
  list.replaceChildren(
    ...rows.map((row, at) => {
      const item = document.createElement("li");
      const number = document.createElement("span");
      number.className = "number";
      number.textContent = at + 1;
      item.append(number, cell(row.white), cell(row.black));
      return item;
    }),
  );
  list.dataset.none = rows.length === 0 ? say("noMoves") : "";
  [...list.querySelectorAll(".move")].at(-1)?.classList.add("latest");
  // The list alone is scrolled, never the page.
  list.scrollTop = list.scrollHeight;
}

function cell(actions) {
  const cell = document.createElement("span");
  cell.className = "cell";
  for (const action of actions ?? []) {
    const move = document.createElement("span");
    move.className = "move";
    move.textContent = action;
    cell.append(move);
  }
  return cell;
}
