// The games of runs: the list, the filter and the board show what the address says.

import { readAddress, writeAddress } from "./address.js";
import { setHead } from "./head.js";
import { List } from "./list.js";
import { Refusal } from "./refusal.js";
import { source } from "./source.js";
import { term } from "./terms.js";
import { Viewer } from "./viewer.js";

// How often a run is asked for games that it has added.
const PAUSE = 5000;

function at(id) {
  return document.getElementById(id);
}

const viewer = new Viewer((ply) => {
  view.ply = ply;
  writeAddress(view, "step");
});
const list = new List((filter) => go({ filter, game: null, ply: 0 }));
const rules = new Map();
let view = readAddress();
let runs = [];
// What the board shows, so that it is not fetched again for each step.
let shown = "";
// Answers that come late are not shown.
let turn = 0;

function go(next) {
  view = next;
  writeAddress(view, "go");
  show();
}

async function rulesOf(run) {
  if (!rules.has(run)) rules.set(run, await source.rules(run));
  return rules.get(run);
}

async function show() {
  const mine = ++turn;
  try {
    runs = await source.runs();
    const run = runs.find(({ name }) => name === view.filter.run) ?? runs[0];
    view.filter.run = run.name;
    at("left-out").textContent = run.left_out > 0 ? term("leftOut", { n: run.left_out, why: run.fault }) : "";
    if (run.games === 0) {
      if (mine !== turn) return;
      list.showFilter(view.filter, runs, null);
      at("found").textContent = term("noGames");
      return;
    }
    const bot = await rulesOf(run.name);
    const answer = await source.list(view.filter);
    if (mine !== turn) return;
    list.showFilter(view.filter, runs, bot);
    list.show(answer, view.filter, bot, view.game);
    at("trouble").textContent = "";
    await showGame(bot, run.name, mine);
  } catch (error) {
    if (mine === turn) at("trouble").textContent = complaint(error);
  }
}

function complaint(error) {
  if (error instanceof TypeError) return term("unread");
  return error instanceof Refusal && error.status === 404 ? term("wrong") : error.message;
}

async function showGame(bot, run, mine) {
  if (!view.game) {
    shown = "";
    viewer.close();
    return;
  }
  const { generation, index } = view.game;
  const key = `${run} ${generation}-${index}`;
  if (key === shown) {
    viewer.step(view.ply);
    viewer.show();
    return;
  }
  const game = await source.game(run, generation, index);
  if (mine !== turn) return;
  shown = key;
  viewer.open(bot, game, view.ply);
}

// Only the list grows by itself: what a person reads stays as it is.
async function grow() {
  const before = runs.find(({ name }) => name === view.filter.run)?.games;
  const now = await source.runs().catch(() => runs);
  if (now.find(({ name }) => name === view.filter.run)?.games !== before && !document.hidden && !at("filter").contains(document.activeElement)) await show();
}

addEventListener("popstate", () => {
  view = readAddress();
  show();
});
setHead(show);
show();
setInterval(grow, PAUSE);
