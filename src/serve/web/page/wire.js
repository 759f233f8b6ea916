// The connection to the program: JSON messages over a WebSocket, opened again for as long as it is lost.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

export class Wire {
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = 0;
  #resting = false;
  #address;
  #listener;

  // `listener` has `message(message)` and `lost()`.
  constructor(address, listener) {
    this.#address = address;
    this.#listener = listener;
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#resting || this.#hurry());
    for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, () => this.#resting && this.#hurry());
    this.#open();
  }

  get connected() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  // Whether the message went out.
  send(message) {
    if (!this.connected) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #open() {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
    });
    socket.addEventListener("message", (event) => this.#listener.message(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      this.#listener.lost();
      if (this.#resting) return;
      this.#timer = setTimeout(() => this.#open(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  // The program gives the place to other clients: it is asked for again when a user is here.
  rest() {
    this.#resting = true;
  }

  // Who comes back to the page need not wait.
  #hurry() {
    if (this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#resting = false;
    this.#open();
  }
}
