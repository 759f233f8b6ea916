// What was asked for and is not there, with the number of the answer as a server gives it.

export class Refusal extends Error {
  constructor(status, line) {
    super(line);
    this.status = status;
  }
}
