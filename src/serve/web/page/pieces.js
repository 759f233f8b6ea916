// Drawings of pieces, on a field of 48 by 48: a silhouette, and lines upon it. The server makes shapes.js of src/game/shapes.json.

import { SHAPES } from "./shapes.js";

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// A piece as a group on a field of 48 by 48. A kind without a drawing is a disc with its letter.
export function piece(game, kind, side) {
  const group = element("g", { class: `piece ${side}` });
  const drawing = (SHAPES[game] ?? SHAPES.chess)[kind];
  if (!drawing) {
    group.append(element("circle", { class: "body", cx: 24, cy: 25, r: 17 }));
    const letter = element("text", { class: "letter", x: 24, y: 32, "text-anchor": "middle" });
    letter.textContent = kind;
    group.append(letter);
    return group;
  }
  for (const d of drawing.body) group.append(element("path", { class: "body", d }));
  for (const d of drawing.lines) group.append(element("path", { class: "line", d }));
  for (const [cx, cy, r] of drawing.dots) group.append(element("circle", { class: "dot", cx, cy, r }));
  for (const d of drawing.stars) group.append(element("path", { class: "dot", d }));
  return group;
}

// A piece as a picture of its own, for buttons.
export function picture(game, kind, side) {
  const svg = element("svg", { viewBox: "2 1 44 46", class: "picture", "aria-hidden": "true" });
  svg.append(piece(game, kind, side));
  return svg;
}
