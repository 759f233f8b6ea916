// The values of the positions: the bar beside the board, the graph over the game, and what the last move cost.

import { expected, percent } from "./chances.js";
import { Gauge } from "./gauge.js";
import { Graph } from "./graph.js";
import { written } from "./notation.js";
import { isolated, say } from "./words.js";

function at(id) {
  return document.getElementById(id);
}

export class Values {
  #match;
  #review;
  #gauge = new Gauge(at("gauge"));
  #graph;

  constructor(match, review) {
    this.#match = match;
    this.#review = review;
    this.#graph = new Graph(at("graph"), (depth) => review.explore(review.tree.line(review.path[depth])));
    at("evaluate").addEventListener("click", () => (review.progress ? review.stop() : review.evaluate()));
  }

  // `near`: the side at the bottom.
  show(near) {
    const { analysing, state } = this.#match;
    at("gauge").hidden = at("values").hidden = !analysing;
    at("analysis-note").textContent = analysing ? "" : say("analysisHint");
    if (!analysing) return;
    const { node, path, progress } = this.#review;
    this.#gauge.show(node.value?.shares ?? null, near);
    this.#graph.show(path, node.depth);
    at("move-cost").textContent = this.#cost(node);
    at("evaluate").hidden = state.moves.length === 0;
    at("evaluate").textContent = say(progress ? "evaluateStop" : "evaluate");
    at("evaluating").textContent = progress ? say("evaluating", { done: isolated(progress.done), all: isolated(progress.all) }) : "";
  }

  // The value before and after the move that led here, for who made it.
  #cost(node) {
    if (!node.parent?.value || !node.value) return "";
    const { move } = node;
    const worth = ({ value }) => {
      const white = expected(value.shares);
      return isolated(percent(move.side === "white" ? white : 1 - white));
    };
    const action = isolated(written(this.#match.its, move));
    return say("moveCost", { side: say(move.side), action, before: worth(node.parent), after: worth(node) });
  }
}
