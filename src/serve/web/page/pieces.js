// Drawings of pieces, on a field of 48 by 48: a silhouette, and lines upon it.

const SVG = "http://www.w3.org/2000/svg";

// The foot that pieces stand on, as the beginning of a profile or of an outline.
const FOOT = "M24 43.5 L11.5 43.5 C10.3 43.5 10 42.6 10 41.4 C10 39.2 11.4 38.4 13 37.6";
const OUTLINE_FOOT = "L35 37.6 C36.6 38.4 38 39.2 38 41.4 C38 42.6 37.7 43.5 36.5 43.5 L11.5 43.5 C10.3 43.5 10 42.6 10 41.4 C10 39.2 11.4 38.4 13 37.6 Z";
const STEP = "M13 37.6 H35";

// The outline of a piece who is turned on a lathe, from its left half: a path of M, L and C from the bottom to the top.
function turned(profile) {
  const steps = profile.match(/[MLC][^MLC]*/g).map((step) => {
    const numbers = step.slice(1).trim().split(/[\s,]+/).map(Number);
    return numbers.flatMap((number, at) => (at % 2 ? [] : [[number, numbers[at + 1]]]));
  });
  const show = (points) => (points.length === 1 ? "L" : "C") + points.flat().join(" ");
  const back = steps.map((points, at) => {
    if (at === 0) return "Z";
    const until = steps[at - 1].at(-1);
    return show([...points.slice(0, -1).reverse(), until].map(([x, y]) => [+(48 - x).toFixed(2), y]));
  });
  return profile + back.reverse().join("");
}

// `body`: outlines, filled. `lines`: drawn upon them. `dots`: filled with the colour of lines: [x, y, radius].
const PAWN = {
  body: [
    turned(
      "M24 43.5 L13.5 43.5 C12.3 43.5 12 42.6 12 41.4 C12 39.2 13.4 38.4 15 37.6 C18.6 34.6 20 31 20.6 27 L18.4 26.8 C16.9 26.6 16.9 23.8 18.4 23.6 L20 23.2 C18 21.8 16.8 19.7 16.8 17.2 C16.8 13.1 19.9 10 24 10",
    ),
  ],
  lines: ["M15 37.6 H33", "M20.6 26.9 H27.4"],
};

const HORSE =
  "M13 37.6 C13.4 32.6 18 30.6 20.4 26.4 C18.2 27.2 16.6 27.6 15.2 29 C14 30.4 13.2 31.8 11.6 31.4 C9.6 31 8.4 29.4 8.8 27.4 C9.4 24.2 12.2 22 13 18.8 C13.8 15.4 15.6 13 18.2 11.6 C17.8 9.6 17.8 7.8 18.4 5.6 C20.2 6.6 21.6 8 22.6 9.8 C31.4 10 37 17.2 36.8 26.4 C36.7 30.6 35.8 34.4 35 37.6 " +
  OUTLINE_FOOT.slice("L35 37.6 ".length);

const CHESS = {
  P: PAWN,
  N: {
    body: [HORSE],
    lines: [STEP, "M25.4 14 C30.6 16.2 33 21 32.6 27.4"],
    dots: [
      [18.4, 17, 1.35],
      [12, 27.6, 0.9],
    ],
  },
  B: {
    body: [
      turned(
        FOOT +
          " C17 35.8 18.6 33.6 19 31.4 L17 31.3 C15.6 31.2 15.6 28.7 17 28.6 L18.6 28.4 C15.8 26.4 14.7 23.4 15.6 20.4 C16.8 16.6 20.2 13.8 22.4 11 C21.2 10.3 20.7 9.3 20.7 8.3 C20.7 6.4 22.1 5 24 5",
      ),
    ],
    lines: [STEP, "M19 31.3 H29", "M27.6 15.4 L23.6 21.6"],
  },
  R: {
    body: [turned(FOOT + " L15.8 34.6 L16.8 20.6 L13.2 17.6 L13.2 9.6 L18.2 9.6 L18.2 12.8 L21.4 12.8 L21.4 9.6 L24 9.6")],
    lines: [STEP, "M15.8 34.6 H32.2", "M16.8 20.6 H31.2"],
  },
  Q: {
    body: [
      turned(FOOT + " C15.4 35.4 15.6 32.8 14.8 30.2 L8.6 16.4 L15 22.4 L16.2 12.4 L20.6 21.4 L24 10.4"),
      ...[
        [8, 14.6],
        [16, 10.6],
        [24, 8.2],
        [32, 10.6],
        [40, 14.6],
      ].map(([x, y]) => `M${x - 2.3} ${y} a2.3 2.3 0 1 0 4.6 0 a2.3 2.3 0 1 0 -4.6 0 Z`),
    ],
    lines: [STEP, "M14.8 30.2 C20 28.4 28 28.4 33.2 30.2"],
  },
  K: {
    body: [
      turned(
        FOOT +
          " C14.8 35.6 15 33.4 14.4 31.4 C9.4 28.4 7.4 24.8 8.4 21 C9.4 17 13.4 15.4 17 16.4 C19.2 17 20.8 18.2 22 19.8 C21 17.4 21.2 15.4 22.4 13.6 L22.4 11.2 L19.2 11.2 L19.2 8 L22.4 8 L22.4 4.8 L24 4.8",
      ),
    ],
    lines: [STEP, "M14.4 31.4 C20 29.4 28 29.4 33.6 31.4", "M24 20.4 V29.8"],
  },
  // Omega: a champion's helmet, a wizard's hat, a fool's cap.
  C: {
    body: [turned(FOOT + " C15.4 36.2 15.8 34.4 15.2 32.6 C13.2 29.6 12.4 26.2 12.6 22 C12.9 15.4 16.8 10.8 22.2 10 C21.4 9.3 21 8.5 21 7.6 C21 5.9 22.3 4.6 24 4.6")],
    lines: [STEP, "M12.8 20.2 H35.2", "M15.8 24.6 H32.2", "M24 24.6 V32.4", "M19.6 28.4 V31.4", "M28.4 28.4 V31.4"],
  },
  W: {
    body: [
      "M13 37.6 C11 36.6 7.4 35.6 7.4 33.4 C7.4 31.2 11.6 30.2 15.4 29.6 C17.8 21.6 20.2 12.2 29 4.6 C28.4 9.6 28.8 12.4 31.2 15.2 C29.8 14.6 28.6 14.8 27.8 15.4 C30 19.8 31.6 24.8 32.6 29.6 C36.4 30.2 40.6 31.2 40.6 33.4 C40.6 35.6 37 36.6 35 37.6 " +
        OUTLINE_FOOT.slice("L35 37.6 ".length),
    ],
    lines: [STEP, "M15.4 29.6 C20.6 31.8 27.4 31.8 32.6 29.6"],
    stars: [[23.4, 22.6, 3.4]],
  },
  F: {
    body: [
      turned(FOOT + " C15.8 36 16.4 33.8 15.8 31.6 C9.6 29.8 6.6 25.4 6.8 18.8 C10.8 17.6 15 19.4 17.4 22.8 C18.4 17 20.6 12.4 24 8.6"),
      ...[
        [6.8, 18],
        [24, 7.4],
        [41.2, 18],
      ].map(([x, y]) => `M${x - 2.3} ${y} a2.3 2.3 0 1 0 4.6 0 a2.3 2.3 0 1 0 -4.6 0 Z`),
    ],
    lines: [STEP, "M15.8 31.6 C20.4 29.8 27.6 29.8 32.2 31.6", "M17.4 22.8 C18 25.6 17.6 28.4 17 31", "M30.6 22.8 C30 25.6 30.4 28.4 31 31"],
  },
};

// The pieces of the steppe: the khan's hat, the vizier's turban, the bers (a great cat), the camel, the noyan's horse under its bridle, a rider's cap.
const SHATAR = {
  K: {
    body: [
      turned(
        FOOT +
          " C16.4 35.8 16.8 33.6 16 31.2 C11 30.4 7.4 26.6 7.6 20.8 C11.4 22.6 14.2 22.4 16.4 21.2 C16.8 16.8 19.4 14 22.4 12.8 C21 11.8 20.6 10.4 20.6 8.8 C20.6 6.4 22 4.8 24 4.8",
      ),
    ],
    lines: [STEP, "M16 31.2 C20.4 29.6 27.6 29.6 32 31.2", "M16.4 21.2 C20.4 24 27.6 24 31.6 21.2"],
  },
  Q: {
    body: [turned(FOOT + " C15.4 35.8 15.8 34 15.4 32 C9.4 30.2 7.6 21.4 13.4 17.2 C16 15.2 19 14.2 21.6 14 C20.8 10.6 21.6 7.4 24 4.6")],
    lines: [STEP, "M15.4 32 C21 30.4 27 30.4 32.6 32", "M10.6 24.6 C16 18.6 26.6 16.4 34.4 17.4", "M12.4 29.2 C18 23.2 29 20.8 37.4 22.4"],
    dots: [[24, 15.6, 1.5]],
  },
  R: {
    body: [turned(FOOT + " L15.6 34.4 C10.8 31.2 9.2 26.6 9.8 21.6 C10 16.8 9.6 12.8 10.8 8.4 C14.2 9.4 16.8 11.2 18.6 13.2 C20.4 12.6 22.2 12.4 24 12.4")],
    lines: [STEP, "M15.6 34.4 H32.4", "M21.4 25.4 H26.6 L24 27.6 Z", "M24 27.6 V29.6 C22.8 31.4 20.6 31.4 19.4 30", "M24 29.6 C25.2 31.4 27.4 31.4 28.6 30"],
    dots: [
      [18.2, 21.6, 1.5],
      [29.8, 21.6, 1.5],
    ],
  },
  B: {
    body: [
      "M13 37.6 L14.6 37.6 L14.4 31 C11.4 28.4 10.6 24 11.2 20.4 C11.4 18.9 10.8 18 9.4 17.8 C7.8 17.5 7 16.2 7 14.4 C7 12.2 8.8 10.8 11.2 10.8 L14.6 9.4 L15.2 12 C17.2 13.2 17.2 15.8 16.4 18.4 C15.8 20.6 16 22.6 17.4 22.6 C19.2 22.6 18.6 15.6 22 14.6 C25.2 13.8 25.6 19.8 27.2 20.2 C29 20.6 28.8 14.4 32.4 14.6 C36.4 14.9 38.2 20.6 38.6 26 C38.8 29 37.6 31.4 37 33.6 L36.6 37.6 " +
        OUTLINE_FOOT,
    ],
    lines: [STEP, "M20.4 37.4 L21 32.2 C24.2 33.6 27.4 33.4 30.2 32 L30.8 37.4"],
    dots: [[12, 13.6, 1]],
  },
  N: {
    body: [HORSE],
    lines: [STEP, "M25.4 14 C30.6 16.2 33 21 32.6 27.4", "M12.6 20.6 L17.6 27.4", "M15.2 24 C19.4 21.4 21.8 17.4 22.6 9.8"],
    dots: [[17.8, 16.6, 1.25]],
  },
  P: {
    body: [
      turned(
        "M24 43.5 L13.5 43.5 C12.3 43.5 12 42.6 12 41.4 C12 39.2 13.4 38.4 15 37.6 C18.6 34.8 19.8 31.8 20.2 28.4 C17.8 27.2 16.8 25.2 17 22.6 L14.2 22.2 C15 16.6 19 12.6 24 9",
      ),
    ],
    lines: ["M15 37.6 H33", "M17 22.7 H31"],
  },
};

// The pieces of the Altai: the biy's crown, the batyr's helmet, the tura (a fortress), the yalkyn (a flame), the shatra.
const SHATRA = {
  K: {
    body: [
      turned(
        FOOT +
          " C16.2 36.2 17 34.2 16.8 32 L12.8 31.8 C9 31.6 9 24.8 12.8 24.6 L15 24.4 C15.6 19.2 18.8 16 22 13.8 C19.8 12.6 18.9 10.8 18.9 9.2 C18.9 6.4 21.2 4.4 24 4.4",
      ),
    ],
    lines: [STEP, "M16.8 31.9 H31.2", "M15 24.5 H33", "M17 27 V29.6", "M24 27 V29.6", "M31 27 V29.6"],
    dots: [[24, 9.2, 1.6]],
  },
  Q: {
    body: [
      "M24.9 8.4 L34 5.2 L34 11.6 L24.9 13.2 Z",
      turned(FOOT + " L13.2 30.4 C12.2 23.6 13.8 17.2 20.6 13.4 C22 12.2 22.9 10.4 22.9 7.8 L22.9 4.4 L24 4.4"),
    ],
    lines: [STEP, "M13.1 26 C18.6 23.4 29.4 23.4 34.9 26", "M22.4 24.4 V32.4 H25.6 V24.4", "M17.4 29.4 V33.4", "M30.6 29.4 V33.4"],
  },
  R: {
    body: [turned(FOOT + " L15 37.6 L15.6 22.8 L10.4 22.6 L12 17.6 L20 9.6 L20 6 L24 6")],
    lines: [STEP, "M15.6 22.8 H32.4", "M12 17.6 H36", "M20 37.4 V31.4 C20 26.6 28 26.6 28 31.4 V37.4"],
  },
  B: {
    body: [
      "M13 37.6 L16.8 37.6 C11.8 34 10.2 28.8 11.8 23.4 C12.8 20 15.4 18 16.2 14.6 C18 16.2 19 18 19.2 20.2 C21.4 15.4 20.6 9.8 23 4.4 C26 11 35 16 36.2 24.4 C37 30 34.6 34.6 31.2 37.6 " +
        OUTLINE_FOOT,
    ],
    lines: ["M16.8 37.6 H31.2", "M20 37.4 C17.2 32.4 20.6 28.4 23.4 24 C24.2 28.4 30 31 28 37.4"],
  },
  P: {
    body: [
      turned(
        "M24 43.5 L13.5 43.5 C12.3 43.5 12 42.6 12 41.4 C12 39.2 13.4 38.4 15 37.6 C18.4 34.8 19.6 32.4 20 29.6 C16.4 28.4 14.8 25.4 15 21.6 C15.3 17.4 18.4 14.6 22.2 14 C21.2 13.3 20.7 12.3 20.7 11.2 C20.7 9.3 22.1 7.9 24 7.9",
      ),
    ],
    lines: ["M15 37.6 H33", "M15 22.4 C20 24.6 28 24.6 33 22.4"],
  },
};

const SETS = { shatar: SHATAR, shatra: SHATRA };

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Of four points.
function star([x, y, size]) {
  const points = Array.from({ length: 8 }, (_, at) => {
    const [angle, reach] = [(at * Math.PI) / 4, at % 2 ? size * 0.36 : size];
    return `${(x + reach * Math.sin(angle)).toFixed(2)} ${(y - reach * Math.cos(angle)).toFixed(2)}`;
  });
  return `M${points.join("L")}Z`;
}

// A piece as a group on a field of 48 by 48. A kind without a drawing is a disc with its letter.
export function piece(game, kind, side) {
  const group = element("g", { class: `piece ${side}` });
  const drawing = (SETS[game] ?? CHESS)[kind];
  if (!drawing) {
    group.append(element("circle", { class: "body", cx: 24, cy: 25, r: 17 }));
    const letter = element("text", { class: "letter", x: 24, y: 32, "text-anchor": "middle" });
    letter.textContent = kind;
    group.append(letter);
    return group;
  }
  for (const d of drawing.body) group.append(element("path", { class: "body", d }));
  for (const d of drawing.lines) group.append(element("path", { class: "line", d }));
  for (const [cx, cy, r] of drawing.dots ?? []) group.append(element("circle", { class: "dot", cx, cy, r }));
  for (const at of drawing.stars ?? []) group.append(element("path", { class: "dot", d: star(at) }));
  return group;
}

// A piece as a picture of its own, for buttons.
export function picture(game, kind, side) {
  const svg = element("svg", { viewBox: "2 1 44 46", class: "picture", "aria-hidden": "true" });
  svg.append(piece(game, kind, side));
  return svg;
}
