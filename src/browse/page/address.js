// What the page shows is what its address says behind `#`, so that every list and every game has a link.

const FILTERS = ["run", "result", "reason", "min_plies", "max_plies", "from", "to", "opening", "kind", "offset"];

// The filter, the game and the ply that the address names.
export function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const filter = {};
  for (const name of FILTERS) if (given.get(name)) filter[name] = given.get(name);
  const game = /^(\d{1,9})-(\d{1,9})$/.exec(given.get("game") ?? "");
  return {
    filter,
    game: game && { generation: Number(game[1]), index: Number(game[2]) },
    ply: Number.parseInt(given.get("ply") ?? "0", 10) || 0,
  };
}

// The address of a view.
export function addressOf({ filter, game, ply }) {
  const parts = new URLSearchParams();
  for (const name of FILTERS) if (filter[name]) parts.set(name, filter[name]);
  if (game) parts.set("game", `${game.generation}-${game.index}`);
  if (game && ply > 0) parts.set("ply", ply);
  return `#${parts}`;
}

// A step within a game is no new page to go back from.
export function writeAddress(view, how) {
  history[how === "step" ? "replaceState" : "pushState"](null, "", addressOf(view));
}
