// What stands below the status once a game is over: another game like it, or a look over this one. It holds nobody up.

function at(id) {
  return document.getElementById(id);
}

export class Ending {
  #match;
  // The end that was put away; the next one is shown again.
  #dismissed = null;

  // `review()`: the game shall be looked over.
  constructor(match, review) {
    this.#match = match;
    at("again").addEventListener("click", () => match.begin(match.bot, match.start));
    at("review").addEventListener("click", () => {
      this.#dismiss();
      review();
    });
    at("dismiss").addEventListener("click", () => this.#dismiss());
  }

  #dismiss() {
    this.#dismissed = this.#match.state?.record ?? null;
    this.show();
    at("status").focus({ preventScroll: true });
  }

  show() {
    const { over, past, state } = this.#match;
    at("ending").hidden = !over || past !== null || state.record === this.#dismissed;
  }
}
