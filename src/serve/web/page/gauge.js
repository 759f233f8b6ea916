// The bar beside the board: the chances of White, a draw and Black in the position that is looked at.

import { bar, expected, percent, SHARES, weigh } from "./chances.js";
import { say } from "./words.js";

export class Gauge {
  #root;

  constructor(root) {
    this.#root = root;
    root.append(bar());
    const words = document.createElement("span");
    words.className = "gauge-words";
    root.append(words);
  }

  // `shares`: of White, a draw and Black, or null where nobody has said them yet; `near`: the side at the bottom.
  show(shares, near) {
    const [bar, words] = this.#root.children;
    this.#root.dataset.near = near;
    this.#root.classList.toggle("empty", shares === null);
    weigh(bar, shares ?? [0, 1, 0]);
    words.textContent = shares ? Math.round(expected(shares) * 100) : "";
    const said = shares ? SHARES.map((share, at) => `${say(share)} ${percent(shares[at])}`).join(say("comma")) : say("noValue");
    this.#root.setAttribute("aria-label", said);
    this.#root.title = said;
  }
}
