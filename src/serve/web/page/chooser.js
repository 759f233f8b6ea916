// Asks which of several actions is meant that lead from one place to another.

import { picture } from "./pieces.js";
import { choiceOf, isolated, kindName } from "./words.js";

// The kind of piece that an action brings in, if it does.
function incoming(bot, action) {
  const { choice } = action;
  const named = choiceOf(bot, action)?.piece;
  if (named) return named;
  return /^[a-z]$/i.test(choice ?? "") ? choice.toUpperCase() : null;
}

// What distinguishes an action from the others that share its squares: what the game calls it, what the piece becomes, or how it is written.
function words(bot, action) {
  const kind = incoming(bot, action);
  return choiceOf(bot, action)?.words ?? (kind ? kindName(bot, kind) : isolated(action.action));
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
        const kind = incoming(bot, action);
        if (kind) button.append(picture(bot.game, kind, side));
        const name = document.createElement("span");
        name.textContent = words(bot, action);
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
