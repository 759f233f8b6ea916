// The list of moves, a row for White's turn and Black's; a series stands in one cell. What was tried beside the game stands below the move
// that was played instead. A click on a move looks at the position after it.

import { event, written } from "./notation.js";
import { say } from "./words.js";

// Nodes in turns: consecutive ones of a side together.
function turns(nodes) {
  const turns = [];
  for (const node of nodes) {
    if (turns.at(-1)?.side !== node.move.side) turns.push({ side: node.move.side, nodes: [] });
    turns.at(-1).nodes.push(node);
  }
  return turns;
}

export class Moves {
  #list;
  #bot = null;
  // What the list was last filled with.
  #filled = "";
  #nodes = new Map();
  #buttons = [];

  // `look(node)`: the position of a node shall be looked at.
  constructor(list, look) {
    this.#list = list;
    list.addEventListener("click", (event) => {
      const move = event.target.closest("[data-move]");
      if (move) look(this.#nodes.get(move));
    });
  }

  // `path`: the nodes of the game, the root first; `current`: the one that the board shows. Tab comes to it.
  show(bot, tree, path, current, mate) {
    this.#bot = bot;
    const focused = this.#list.contains(document.activeElement);
    const key = [bot.name, say("comma"), tree.version, path.length, path.at(-1).move?.action, mate].join(" ");
    if (this.#filled !== key || !this.#isOf(path)) this.#fill(path, mate);
    this.#filled = key;
    const reached = this.#buttons.find((button) => this.#nodes.get(button) === current) ?? null;
    for (const button of this.#buttons) {
      if (button === reached) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      button.tabIndex = button === (reached ?? this.#buttons[0]) ? 0 : -1;
    }
    this.#list.dataset.none = this.#buttons.length === 0 ? say("noMoves") : "";
    const shown = reached ?? this.#buttons[0];
    if (!shown) return;
    if (focused) shown.focus({ preventScroll: true });
    this.#reveal(shown);
  }

  // Whether the list shows these very nodes.
  #isOf(path) {
    const last = this.#buttons.findLast((button) => button.classList.contains("move"));
    return path.length === 1 ? last === undefined : last !== undefined && this.#nodes.get(last) === path.at(-1);
  }

  #fill(path, mate) {
    this.#nodes.clear();
    const rows = [];
    for (const { side, nodes } of turns(path.slice(1))) {
      if (side === "white" || rows.length === 0) rows.push({ white: [], black: [], nodes: [] });
      rows.at(-1)[side] = nodes;
      rows.at(-1).nodes.push(...nodes);
    }
    const played = new Set(path);
    const items = rows.flatMap((row, at) => {
      const item = document.createElement("li");
      const number = document.createElement("span");
      number.className = "number";
      number.textContent = at + 1;
      item.append(number, this.#cell(row.white, path, mate), this.#cell(row.black, path, mate));
      return [item, ...row.nodes.flatMap((node) => this.#beside(node.parent, played))];
    });
    items.push(...this.#beside(path.at(-1), played));
    this.#list.replaceChildren(...items);
    this.#buttons = [...this.#list.querySelectorAll("[data-move]")];
  }

  #cell(nodes, path, mate) {
    const cell = document.createElement("span");
    cell.className = "cell";
    cell.append(...nodes.map((node) => this.#button(node, "move", mate && node === path.at(-1))));
    return cell;
  }

  #button(node, name, mate = false) {
    const { move } = node;
    const button = document.createElement("button");
    button.type = "button";
    button.className = name;
    button.dataset.move = move.action;
    button.dataset.after = node.depth;
    button.textContent = written(this.#bot, move, mate);
    const happened = event(this.#bot, move);
    button.title = [move.action, happened].filter(Boolean).join(" · ");
    if (happened) {
      const words = document.createElement("small");
      words.className = "event";
      words.dir = "auto";
      words.textContent = happened;
      button.append(" ", words);
    }
    this.#nodes.set(button, node);
    return button;
  }

  // The variations that begin at a node, each a line of its own.
  #beside(node, played) {
    return node.children
      .filter((child) => !played.has(child))
      .map((child) => {
        const item = document.createElement("li");
        item.className = "beside";
        item.setAttribute("aria-label", say("variation"));
        item.append(...this.#variation(child));
        return item;
      });
  }

  // A move, what was tried in its place further on in brackets, and how it goes on.
  #variation(node) {
    const parts = [];
    for (let at = node, first = true; at; at = at.children[0], first = false) {
      const { side } = at.move;
      const turn = side === "white" && at.parent.move?.side !== "white";
      if (turn || first) parts.push(turnNumber(at.row, side));
      parts.push(this.#button(at, "side-move"));
      for (const other of at.children.slice(1)) {
        const bracket = document.createElement("span");
        bracket.className = "bracket";
        bracket.append(...this.#variation(other));
        parts.push(bracket);
      }
    }
    return parts;
  }

  // The list alone is scrolled, never the page.
  #reveal(button) {
    const [list, row] = [this.#list.getBoundingClientRect(), button.closest("li").getBoundingClientRect()];
    if (row.top < list.top) this.#list.scrollTop -= list.top - row.top;
    else if (row.bottom > list.bottom) this.#list.scrollTop += row.bottom - list.bottom;
  }
}

function turnNumber(row, side) {
  const number = document.createElement("span");
  number.className = "number";
  number.textContent = side === "white" ? `${row}.` : `${row}…`;
  return number;
}
