// Buttons and keys that look at earlier positions of the game, and lead back to it.

import { say } from "./words.js";

// Where each leads from the position after so many moves.
const STEPS = { first: () => 0, previous: (after) => after - 1, next: (after) => after + 1, last: () => Infinity };

// On the board the arrows walk over its squares; elsewhere the other keys scroll.
const KEYS = {
  ArrowLeft: { step: "previous", within: "body" },
  ArrowRight: { step: "next", within: "body" },
  PageUp: { step: "previous", within: "#board" },
  PageDown: { step: "next", within: "#board" },
  Home: { step: "first", within: "#board, #walk, #moves" },
  End: { step: "last", within: "#board, #walk, #moves" },
  Escape: { step: "last", within: "body" },
};
// What has another use for keys.
const OTHERS = "dialog, [popover], input, textarea";

function at(id) {
  return document.getElementById(id);
}

export class Walk {
  #match;
  #review;

  constructor(match, review) {
    this.#match = match;
    this.#review = review;
    for (const step of Object.keys(STEPS)) at(`walk-${step}`).addEventListener("click", () => this.#go(step));
    at("present").addEventListener("click", () => this.#go("last"));
    at("branch").addEventListener("click", () => match.branch());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  #go(step) {
    if (!this.#match.state) return;
    if (this.#review.aside) this.#review.step(step);
    else this.#review.look(STEPS[step](this.#match.looking));
  }

  #key(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const known = KEYS[event.key];
    if (!known || (event.key === "Escape" && this.#match.past === null)) return;
    if (!event.target.closest(known.within) || event.target.closest(OTHERS)) return;
    event.preventDefault();
    this.#go(known.step);
  }

  show() {
    const { seen, past } = this.#match;
    const all = this.#review.path.length - 1;
    at("walk-count").textContent = `${seen} / ${all}`;
    // A button that is disabled would lose the focus.
    for (const step of ["first", "previous"]) at(`walk-${step}`).setAttribute("aria-disabled", String(seen === 0));
    at("walk-next").setAttribute("aria-disabled", String(seen === all));
    at("walk-last").setAttribute("aria-disabled", String(past === null));
    // One row of buttons takes the other's place, so that nothing moves under the pointer.
    const ways = at("past-actions");
    const left = past === null && ways.contains(document.activeElement);
    ways.hidden = past === null;
    at("actions").hidden = past !== null;
    at("branch").dataset.say = past?.moves ? "continueHere" : "branch";
    at("branch").textContent = say(at("branch").dataset.say);
    const board = at("board");
    board.dataset.sayLabel = past?.moves ? "besideBoard" : past ? "pastBoard" : "board";
    board.setAttribute("aria-label", say(board.dataset.sayLabel));
    at("table").classList.toggle("past", past !== null);
    if (left) board.querySelector('[tabindex="0"]').focus({ preventScroll: true });
  }
}
