// What a first visit is told about the zones of a game, until it is put away.

import { settings } from "./settings.js";
import { has, kindActionName, say, zoneWord } from "./words.js";

function at(id) {
  return document.getElementById(id);
}

export class Captions {
  #match;

  constructor(match) {
    this.#match = match;
    at("captions-close").addEventListener("click", () => {
      settings.explained = [...settings.explained, match.its.game];
      this.show();
      document.querySelector('#board [tabindex="0"]').focus({ preventScroll: true });
    });
  }

  // Only the kinds of action that this game has, in the words that it gives them.
  show() {
    const { its } = this.#match;
    const hasZone = its && its.zone_kinds.length > 0 && its.options?.reserve !== "";
    at("captions").hidden = !hasZone || settings.explained.includes(its.game);
    if (at("captions").hidden) return;
    const zone = zoneWord(its);
    const kinds = Object.keys(its.words.kinds).filter((kind) => has(`caption_${its.game}_${kind}`) && its.options?.[kind] !== false);
    const lines = [
      [zone, say("caption_zone")],
      ...kinds.map((kind) => [kindActionName(its, kind), say(`caption_${its.game}_${kind}`)]),
    ];
    at("captions-list").replaceChildren(
      ...lines.map(([name, words]) => {
        const item = document.createElement("li");
        const strong = document.createElement("strong");
        strong.textContent = name;
        item.append(strong, `${say("colon")}${words}`);
        return item;
      }),
    );
  }
}
