// Asks which of several actions is meant that lead from one place to another.

import { picture } from "./pieces.js";
import { has, isolated, kindName, say } from "./words.js";

// The kind of piece that an action brings in, if it does. The letter of an entry is a place: it brings a fool.
function incoming({ choice, kind }) {
  if (kind === "entry") return "F";
  return /^[a-z]$/i.test(choice ?? "") ? choice.toUpperCase() : null;
}

// What tells an action from its fellows: what the piece becomes, where a fool enters, or how he goes.
function words(bot, action, fellows) {
  if (action.kind === "entry") return say(`entry_${action.choice}`);
  if (fellows.some(({ kind }) => kind === "entry")) return say("entry_none");
  const kind = incoming(action);
  if (kind) return kindName(bot, kind);
  return has(`kind_${action.kind}`) ? say(`kind_${action.kind}`) : isolated(action.action);
}

export class Chooser {
  #root;

  constructor(root) {
    this.#root = root;
  }

  // Shows the actions beside `rectangle` (of the screen) and gives the chosen one to `play`.
  ask(bot, side, actions, rectangle, play) {
    this.#root.replaceChildren(
      ...actions.map((action) => {
        const button = document.createElement("button");
        button.type = "button";
        button.dataset.action = action.action;
        const kind = incoming(action);
        if (kind) button.append(picture(bot.game, kind, side));
        const name = document.createElement("span");
        name.textContent = words(bot, action, actions);
        button.append(name);
        button.addEventListener("click", () => {
          this.#root.hidePopover();
          play(action);
        });
        return button;
      }),
    );
    // The release of the pointer that led here would dismiss it.
    setTimeout(() => {
      this.#root.showPopover();
      this.#place(rectangle);
      this.#root.firstChild.focus();
    });
  }

  #place(rectangle) {
    const { width, height } = this.#root.getBoundingClientRect();
    const fit = (wanted, size, room) => Math.max(4, Math.min(wanted, room - size - 4));
    const below = rectangle.bottom + 4 + height <= innerHeight;
    this.#root.style.left = `${fit(rectangle.left + rectangle.width / 2 - width / 2, width, document.documentElement.clientWidth)}px`;
    this.#root.style.top = `${below ? rectangle.bottom + 4 : fit(rectangle.top - height - 4, height, innerHeight)}px`;
  }

  close() {
    if (this.#root.matches(":popover-open")) this.#root.hidePopover();
  }
}
