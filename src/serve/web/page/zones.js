// The support zones beside the arena, or the stock: a button for each kind, with how many of it wait there.

import { picture } from "./pieces.js";
import { pieceName, say, zoneName } from "./words.js";

export class Zones {
  #rails;

  // `rails`: the two elements, at the far and the near side.
  constructor(rails) {
    this.#rails = rails;
  }

  // `near`: the side at the bottom; `choice` as the board has it.
  show(bot, state, near, choice) {
    const used = bot.zone_kinds.length > 0 && bot.options?.reserve !== "";
    for (const [end, rail] of Object.entries(this.#rails)) {
      const side = (end === "near") === (near === "white") ? "white" : "black";
      rail.hidden = !used;
      if (!used) continue;
      rail.setAttribute("aria-label", zoneName(bot, side));
      rail.dataset.side = side;
      this.#fill(rail, bot, side, state, choice);
    }
  }

  // Buttons are kept from state to state, so that the focus stays where it is.
  #fill(rail, bot, side, state, choice) {
    const kinds = [...bot.zone_kinds].reverse();
    const key = `${bot.game} ${side} ${kinds.join("")}`;
    if (rail.dataset.key !== key) {
      rail.dataset.key = key;
      rail.replaceChildren(...kinds.map((kind) => chip(bot.game, kind, side)));
    }
    kinds.forEach((kind, at) => {
      const button = rail.children[at];
      const number = state.zones[side][bot.zone_kinds.indexOf(kind)];
      const place = side === state.side ? `zone:${kind}` : null;
      const open = place !== null && (choice.sources.has(place) || choice.targets.has(place));
      button.querySelector(".count").textContent = number;
      button.classList.toggle("none", number === 0);
      button.classList.toggle("source", choice.sources.has(place));
      button.classList.toggle("target", choice.targets.has(place));
      button.classList.toggle("selected", place !== null && choice.selected === place);
      button.setAttribute("aria-disabled", String(!open));
      button.setAttribute("aria-pressed", String(place !== null && choice.selected === place));
      button.tabIndex = open ? 0 : -1;
      if (place) button.dataset.zone = place;
      else delete button.dataset.zone;
      button.setAttribute("aria-label", say("zonePiece", { piece: pieceName(bot, kind, side), n: number }));
    });
  }
}

function chip(game, kind, side) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "chip";
  const count = document.createElement("span");
  count.className = "count";
  button.append(picture(game, kind, side), count);
  button.dataset.kind = kind;
  return button;
}
