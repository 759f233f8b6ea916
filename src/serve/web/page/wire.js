// The connection to the program: JSON messages over a WebSocket, opened again for as long as it is lost.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

export class Wire {
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = 0;
  #resting = false;
  #ended = new AbortController();
  #address;
  #listener;

  // `listener` has `message(message)` and `lost()`.
  constructor(address, listener) {
    this.#address = address;
    this.#listener = listener;
    const { signal } = this.#ended;
    addEventListener("online", () => this.#hurry(), { signal });
    document.addEventListener("visibilitychange", () => document.hidden || this.#resting || this.#hurry(), { signal });
    for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, () => this.#resting && this.#hurry(), { signal });
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
    socket.addEventListener("message", (event) => this.#ended.signal.aborted || this.#listener.message(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      if (this.#ended.signal.aborted) return;
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

  // Nobody needs the connection any more.
  end() {
    this.#ended.abort();
    clearTimeout(this.#timer);
    this.#socket.close();
  }

  // Who comes back to the page need not wait.
  #hurry() {
    if (this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#timer);
    this.#resting = false;
    this.#open();
  }
}
