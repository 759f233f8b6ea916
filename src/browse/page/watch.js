// A run as it goes on: its report, read again and again, its last games, and the newest one on a board.

import { addressOf } from "./address.js";
import { setHead } from "./head.js";
import { fillRows } from "./list.js";
import { source } from "./source.js";
import { term } from "./terms.js";
import { Viewer } from "./viewer.js";

// Seconds between two readings.
const PAUSE = 10;
// Milliseconds that a position is shown.
const BEAT = 700;
// Positions that the end of a game is shown for, before a newer game comes.
const REST = 8;
// Games in the list.
const LAST = 10;

function at(id) {
  return document.getElementById(id);
}

// A person who steps through the game has it to himself from then on.
let held = false;
const viewer = new Viewer(() => {});
let run = new URLSearchParams(location.hash.slice(1)).get("run");
let newest = null;
let shown = "";
let rested = 0;
let bot = null;

async function read() {
  if (document.hidden) return;
  try {
    const runs = await source.runs();
    if (!runs.some(({ name }) => name === run)) run = runs[0].name;
    at("run").replaceChildren(...runs.map(({ name }) => new Option(name, name, false, name === run)));
    const progress = await source.progress(run);
    at("trouble").textContent = "";
    at("updated").textContent = term("updated", { time: new Date().toLocaleTimeString(), n: PAUSE });
    show(progress.html);
    newest = progress.newest && { run, generation: progress.newest[0], index: progress.newest[1] };
    if (newest) await list();
  } catch (error) {
    at("trouble").textContent = error instanceof TypeError ? term("unread") : error.message;
  }
}

// What a person has folded or unfolded stays so. At first, sections are unfolded where there is room.
function show(html) {
  const details = () => [...at("progress").querySelectorAll("details[id]")];
  const left = new Map(details().map(({ id, open }) => [id, open]));
  const hasRoom = matchMedia("(min-width: 60rem)").matches;
  at("progress").innerHTML = html;
  for (const fold of details()) fold.open = left.get(fold.id) ?? (hasRoom && fold.matches(".fold"));
}

async function list() {
  const [rules, { games }] = [await source.rules(run), await source.list({ run })];
  fillRows(at("list").tBodies[0], games.slice(0, LAST), (game) => addressOfGame({ run, ...game }), rules, null);
  at("last-games").hidden = false;
}

function addressOfGame({ run, generation, index }) {
  return `/games${addressOf({ filter: { run }, game: { generation, index } })}`;
}

async function open() {
  const key = `${newest.run} ${newest.generation}-${newest.index}`;
  if (key === shown) return;
  const { run: name, generation, index } = newest;
  try {
    bot = await source.rules(name);
    const game = await source.game(name, generation, index);
    shown = key;
    rested = 0;
    viewer.open(bot, game, 0);
    at("game-name").href = addressOfGame(newest);
  } catch (error) {
    at("trouble").textContent = error.message;
  }
}

async function beat() {
  if (document.hidden || held) return;
  if (viewer.ply < viewer.plies) viewer.step(viewer.ply + 1);
  else if (newest && ++rested > (shown ? REST : 0)) await open();
}

at("run").addEventListener("change", () => {
  run = at("run").value;
  history.replaceState(null, "", `#${new URLSearchParams({ run })}`);
  newest = null;
  shown = "";
  held = false;
  at("last-games").hidden = true;
  read();
});
for (const id of ["first", "previous", "next", "last", "graph"]) at(id).addEventListener("pointerdown", () => (held = true));
setHead(() => {
  read();
  viewer.show();
});
read();
setInterval(read, 1000 * PAUSE);
setInterval(beat, BEAT);
