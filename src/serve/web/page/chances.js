// Chances of White, a draw and Black: how they are counted and written, and the bar that shows them.

export const SHARES = ["white", "draw", "black"];

// From the chances of the side to move.
export function chances([win, draw, loss], side) {
  return side === "white" ? [win, draw, loss] : [loss, draw, win];
}

// What White may expect, from 0 to 1: a draw counts a half.
export function expected([white, draw]) {
  return white + draw / 2;
}

export function percent(share) {
  return `${Math.round(share * 100)}%`;
}

export function bar() {
  const element = document.createElement("div");
  element.className = "bar";
  for (const name of SHARES) {
    const part = document.createElement("span");
    part.className = name;
    element.append(part);
  }
  return element;
}

// A bar is kept while its shares change: a click that begins on one that is gone when it ends is none.
export function weigh(bar, shares) {
  shares.forEach((share, at) => (bar.children[at].style.flexGrow = share));
}
