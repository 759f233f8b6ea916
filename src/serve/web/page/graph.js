// The value over a line of moves, as a curve: above is White's. A click looks at the position there.

import { expected, percent } from "./chances.js";
import { isolated, say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [600, 120];

function make(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Runs of neighbouring points: where a value is missing the curve is broken.
function runs(points) {
  const runs = [[]];
  for (const point of points) {
    if (point === null) runs.push([]);
    else runs.at(-1).push(point);
  }
  return runs.filter((run) => run.length > 0);
}

export class Graph {
  #svg;
  #length = 0;

  // `look(depth)`: the position after so many moves of the line shall be looked at.
  constructor(svg, look) {
    this.#svg = svg;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.addEventListener("click", (event) => {
      const { left, width } = svg.getBoundingClientRect();
      look(Math.round(((event.clientX - left) / width) * this.#length));
    });
  }

  // `path`: the nodes of the line, the root first; `depth`: which of them is looked at.
  show(path, depth) {
    this.#length = Math.max(path.length - 1, 1);
    const across = (at) => (at / this.#length) * WIDTH;
    const points = path.map(({ value }, at) => value && [across(at), (1 - expected(value.shares)) * HEIGHT]);
    const known = points.filter(Boolean).length;
    const drawn = [make("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 })];
    for (const run of runs(points)) {
      const [first, last] = [run[0], run.at(-1)];
      const line = run.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
      drawn.push(make("path", { class: "area", d: `M${first[0]} ${HEIGHT / 2}L${line}L${last[0]} ${HEIGHT / 2}Z` }));
      drawn.push(make("path", { class: "curve", d: `M${line}${run.length === 1 ? "h4" : ""}` }));
    }
    drawn.push(make("line", { class: "here", x1: across(depth), x2: across(depth), y1: 0, y2: HEIGHT }));
    this.#svg.replaceChildren(...drawn);
    const here = path[depth]?.value;
    const words = say("graphSaid", { n: isolated(known), all: isolated(path.length) });
    this.#svg.setAttribute("aria-label", here ? `${words}${say("comma")}${say("graphHere", { n: isolated(percent(expected(here.shares))) })}` : words);
  }
}
