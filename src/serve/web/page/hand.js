// The hand that plays: chooses a piece or a zone's stock and then a place, by click, by drag or by key.

const FAR_ENOUGH = 6;
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function placeOf(element) {
  const found = element?.closest?.("[data-square], [data-zone]");
  return found ? (found.dataset.square ?? found.dataset.zone) : null;
}

export class Hand {
  #table;
  #board;
  #listener;
  #ways = null;
  #selected = null;
  #press = null;
  #ghost = null;
  #dragged = false;

  // `table`: the element that holds board and zones. `listener.play(actions, place, how)`: the actions that lead to the place, how it was reached;
  // `listener.chosen(choice)`: another choice is to be shown; `listener.carried(place)`: the picture of who is dragged.
  constructor(table, board, listener) {
    this.#table = table;
    this.#board = board;
    this.#listener = listener;
    table.addEventListener("click", (event) => this.#click(event));
    table.addEventListener("keydown", (event) => this.#key(event));
    table.addEventListener("pointerdown", (event) => this.#down(event));
    table.addEventListener("pointermove", (event) => this.#move(event));
    table.addEventListener("pointerup", (event) => this.#up(event));
    // A finger upon a piece carries him, and elsewhere scrolls the page.
    table.addEventListener("touchmove", (event) => this.#press && event.cancelable && event.preventDefault(), { passive: false });
    table.addEventListener("pointercancel", () => this.#drop());
    // A touch is held by the square at first; only the loss of what the table holds ends a drag.
    table.addEventListener("lostpointercapture", (event) => event.target === table && this.#drop());
  }

  // What may be played now; with `null` nothing. A series goes on with its piece in the hand.
  deal(ways) {
    this.#drop();
    this.#ways = ways;
    this.select(null);
  }

  select(place) {
    this.#selected = place;
    this.#listener.chosen(this.choice());
  }

  choice() {
    return {
      selected: this.#selected,
      targets: this.#selected === null ? new Map() : this.#ways.targets(this.#selected),
      sources: new Set(this.#ways?.sources() ?? []),
      badges: this.#selected === null ? [] : this.#ways.onTheSpot(this.#selected),
    };
  }

  #reach(place, how) {
    const actions = this.#selected === null ? undefined : this.#ways.targets(this.#selected).get(place);
    if (actions) this.#listener.play(actions, place, how);
    return actions !== undefined;
  }

  #touch(place, how) {
    if (this.#reach(place, how)) return;
    const other = place !== this.#selected && this.#ways?.isSource(place);
    if (other || this.#selected !== null) this.select(other ? place : null);
  }

  #click(event) {
    if (this.#dragged) {
      this.#dragged = false;
      return;
    }
    const badge = event.target.closest("[data-action]");
    if (badge) {
      this.#onTheSpot(badge.dataset.action);
      return;
    }
    const place = placeOf(event.target);
    if (place !== null) this.#touch(place, "click");
    else if (this.#selected !== null) this.select(null);
  }

  #onTheSpot(wanted) {
    const action = this.#ways?.onTheSpot(this.#selected).find(({ action }) => action === wanted);
    if (action) this.#listener.play([action], action.to, "click");
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const square = event.target.dataset.square;
    if (event.key === "Escape" && this.#selected !== null) {
      this.select(null);
    } else if (event.key === "+") {
      const place = this.#selected ?? square;
      const actions = place && this.#ways ? this.#ways.onTheSpot(place) : [];
      if (actions.length > 0) this.#listener.play(actions, actions[0].to, "key");
    } else if (square && event.key in ARROWS) {
      this.#board.focus(this.#board.step(square, ...ARROWS[event.key]));
    } else if (event.key === "Enter" || event.key === " ") {
      if (event.target.dataset.action) this.#onTheSpot(event.target.dataset.action);
      else if (square) this.#touch(square, "key");
      else return;
    } else {
      return;
    }
    event.preventDefault();
  }

  #down(event) {
    this.#dragged = false;
    const place = placeOf(event.target);
    if (event.button !== 0 || !event.isPrimary || place === null || !this.#ways?.isSource(place)) return;
    this.#press = { place, x: event.clientX, y: event.clientY, pointer: event.pointerId };
  }

  #move(event) {
    if (!this.#press || event.pointerId !== this.#press.pointer) return;
    if (!this.#ghost && Math.hypot(event.clientX - this.#press.x, event.clientY - this.#press.y) < FAR_ENOUGH) return;
    if (!this.#ghost) this.#lift();
    this.#ghost.style.left = `${event.clientX}px`;
    this.#ghost.style.top = `${event.clientY}px`;
    this.#hover(this.#under(event));
  }

  #lift() {
    const { place, pointer } = this.#press;
    this.#table.setPointerCapture(pointer);
    if (this.#selected !== place) this.select(place);
    this.#ghost = document.createElement("div");
    this.#ghost.className = "ghost";
    this.#ghost.style.width = this.#ghost.style.height = `${this.#board.size()}px`;
    this.#ghost.append(this.#listener.carried(place));
    document.body.append(this.#ghost);
    this.#board.lift(place);
    this.#table.classList.add("dragging");
  }

  #under(event) {
    return placeOf(document.elementFromPoint(event.clientX, event.clientY));
  }

  #hover(place) {
    for (const old of this.#table.querySelectorAll(".over")) old.classList.remove("over");
    if (place === null || !this.choice().targets.has(place)) return;
    this.#table.querySelector(`[data-square="${place}"], [data-zone="${place}"]`)?.classList.add("over");
  }

  #up(event) {
    if (!this.#press || event.pointerId !== this.#press.pointer) return;
    const carried = this.#ghost !== null;
    const place = carried ? this.#under(event) : null;
    this.#drop();
    // The click that follows a drag is none.
    this.#dragged = carried;
    if (place !== null) this.#reach(place, "drag");
  }

  #drop() {
    this.#press = null;
    if (!this.#ghost) return;
    this.#ghost.remove();
    this.#ghost = null;
    this.#board.lift(null);
    this.#hover(null);
    this.#table.classList.remove("dragging");
  }
}
