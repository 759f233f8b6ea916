// Where games come from: this page itself, which holds them packed.

import { Refusal } from "./refusal.js";

async function unpack() {
  const text = document.getElementById("album").textContent.trim();
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

const album = unpack();
const PAGE = 50;

// Whether a game is as the filter asks.
function fits(game, { result, reason, min_plies, max_plies, from, to, opening, kind }) {
  const line = (opening ?? "").split(/\s+/).filter(Boolean);
  return (
    (!result || game.result === result) &&
    (!reason || game.reason === reason) &&
    (!min_plies || game.plies >= Number(min_plies)) &&
    (!max_plies || game.plies <= Number(max_plies)) &&
    (!from || game.generation >= Number(from)) &&
    (!to || game.generation <= Number(to)) &&
    (!kind || game.kinds[kind] > 0) &&
    line.every((action, at) => game.opening[at] === action)
  );
}

export const source = {
  async runs() {
    const { run, listed } = await album;
    return [{ name: run, games: listed.length, left_out: 0, fault: null, generation: listed[0]?.generation ?? null }];
  },
  async rules() {
    return (await album).rules;
  },
  async list(filter) {
    const offset = Number(filter.offset ?? 0) || 0;
    const games = (await album).listed.filter((game) => fits(game, filter));
    return { total: games.length, offset, games: games.slice(offset, offset + PAGE) };
  },
  async game(run, generation, index) {
    const found = (await album).games.find((game) => game.generation === generation && game.index === index);
    if (!found) throw new Refusal(404, "expected a game, found none of this name");
    return found;
  },
};
