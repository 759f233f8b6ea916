// The page: puts the board, the hand that plays, the panel and the connection together.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Captions } from "./captions.js";
import { Chooser } from "./chooser.js";
import { NewGame, RecordDialog, Rules } from "./dialogs.js";
import { Ending } from "./ending.js";
import { Hand } from "./hand.js";
import { readLink } from "./link.js";
import { Match } from "./match.js";
import { Moves } from "./moves.js";
import { written } from "./notation.js";
import { Panel } from "./panel.js";
import { picture } from "./pieces.js";
import { Review } from "./review.js";
import { settings } from "./settings.js";
import { Study } from "./study.js";
import { complaint } from "./trouble.js";
import { Values } from "./values.js";
import { Walk } from "./walk.js";
import { Ways } from "./ways.js";
import { Wire } from "./wire.js";
import { currentLanguage, fill, isolated, pieceName, say, setLanguage } from "./words.js";
import { Zones } from "./zones.js";

function at(id) {
  return document.getElementById(id);
}

const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
const wire = new Wire(address, {
  message: (message) => match.hear(message),
  lost: () => match.lose(),
});
const match = new Match(wire, { ready, changed, looked, searched, failed, lost });
const board = new Board(at("board"));
const zones = new Zones({ far: at("zone-far"), near: at("zone-near") });
const hand = new Hand(at("table"), board, { play, chosen, carried });
const chooser = new Chooser(at("chooser"));
const panel = new Panel(match);
const review = new Review(match, (listener) => new Study(address, listener), { changed: searched, failed });
const moves = new Moves(at("moves"), (node) => review.explore(review.tree.line(node)));
const walk = new Walk(match, review);
const values = new Values(match, review);
const captions = new Captions(match);
const ending = new Ending(match, lookOver);
const record = new RecordDialog(match);
const rules = new Rules(match);
const analysis = new Analysis(at("thought"), { point, play: playAction, explore, refresh: searched });
new NewGame(match);

// Whether the board was turned by hand, against the side that it shows by itself.
let turned = false;
let laid = "";
// Whether a drag has brought the piece there already.
let dropped = false;
// What went wrong since the last good news.
let trouble = null;
// What the board shows, and the moves that led to it.
let shown = { sight: null, moves: [] };
let choice = hand.choice();
// The state whose actions are in the hand; null where none are.
let dealt;
// The game of the page before it was loaded again, until it is there.
let kept = settings.game;

function near() {
  const side = match.near;
  return turned ? { white: "black", black: "white" }[side] : side;
}

function ready() {
  notice(null);
  at("new-game").disabled = false;
  if (settings.level) match.level = settings.level;
  if (settings.variety) match.variety = settings.variety;
}

// Draws the board anew where it is another one, or seen from another side.
function lay() {
  const wanted = `${match.bot} ${near()} ${currentLanguage()}`;
  if (laid === wanted) return;
  board.lay(match.its, near());
  if (!laid.startsWith(`${match.bot} `)) panel.offer();
  laid = wanted;
}

// Whether a game went one action on from other moves, or back to some of them.
function follows(moves, shown) {
  const [short, long] = moves.length < shown.length ? [moves, shown] : [shown, moves];
  const step = moves.length === shown.length + 1 || (moves.length < shown.length && moves.length > 0);
  return step && short.every(({ action }, ply) => long[ply].action === action);
}

function changed(state, renewed) {
  review.follow(state, renewed, renewed ? null : kept?.tree);
  kept = null;
  const same = laid === `${match.bot} ${near()} ${currentLanguage()}`;
  notice(null);
  if (!same) {
    board.forget();
    shown = { sight: null, moves: [] };
  }
  lay();
  see(same && !dropped ? "glide" : "still");
  dropped = false;
  dealt = undefined;
  rules.show(match);
  record.done();
  announceMove(state);
  remember();
}

// The browser brings this back when the page is opened again.
function remember() {
  settings.game = { ...match.keepsake(), players: match.players, tree: review.tree.keep() };
}

// Shows the position that is looked at. `how`: "glide" where a piece may slide to his place.
function see(how) {
  const { sight, led } = match;
  if (sight !== shown.sight) {
    // What is in the hand belongs to the position before.
    hand.deal(null);
    dealt = undefined;
    board.show(sight, how === "glide" && follows(led, shown.moves) ? "glide" : "still");
  }
  shown = { sight, moves: led };
  zones.show(match.its, sight, near(), choice);
  showMoves();
  walk.show();
}

function showMoves() {
  const { its, state } = match;
  const game = review.tree.path(review.tree.follow(state.moves));
  moves.show(its, review.tree, game, review.node, state.outcome?.reason === "checkmate");
  at("forget").hidden = review.tree.branches === 0;
}

function looked() {
  see("glide");
  searched();
}

// Whatever may have changed but the position: who plays, what is searched for, what the bot thinks.
function searched() {
  if (match.its) lay();
  panel.show(near());
  if (!match.state) return;
  review.note(match.thought);
  review.attend();
  deal();
  showThought();
  values.show(near());
  ending.show();
  captions.show();
}

function showThought() {
  const { analysing, sight, its } = match;
  const ended = sight.outcome != null;
  at("thought").hidden = !analysing;
  if (!analysing) return board.point(null);
  const thought = ended || review.progress !== null ? null : review.thought;
  const seen = { bot: its, sight, legal: playable()?.legal ?? [] };
  analysis.show(thought, seen, match.open || review.open !== null, say(ended ? "gameEnds" : "waiting"));
}

// The state whose actions may be pointed at: that of the game, or of what is looked at beside it.
function playable() {
  return match.past === null ? match.state : review.open;
}

// Gives the hand what can be played now, unless it has it already.
function deal() {
  const now = match.open ? match.state : review.open;
  if (dealt === now) return;
  dealt = now;
  chooser.close();
  const ways = now && new Ways(now.legal, match.its.zone_kinds);
  hand.deal(ways);
  // A series goes on with its piece in the hand.
  if (ways && now.moves.at(-1)?.side === now.side && ways.onlySquare()) hand.select(ways.onlySquare());
  showPlain(ways?.plain ?? []);
}

function showPlain(actions) {
  at("plain-actions").replaceChildren(
    ...actions.map((action) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "primary";
      button.dataset.plain = action.action;
      button.textContent = action.kind === "stop" ? say("stopSeries") : say("plainAction", { action: isolated(action.action) });
      button.addEventListener("click", () => playAction(action.action));
      return button;
    }),
  );
}

function chosen(now) {
  choice = now;
  if (!match.state) return;
  board.choose(now);
  zones.show(match.its, match.sight, near(), now);
  if (now.selected === null) return;
  const squares = [...now.targets.keys()].filter((place) => !place.startsWith("zone:")).length;
  const words = now.badges.length > 0 ? "selectedClimb" : "selected";
  announce(say(words, { what: nameOf(now.selected), n: isolated(squares) }));
}

// Who waits at a place, in words.
function nameOf(place) {
  if (place.startsWith("zone:")) return pieceName(match.its, place.slice("zone:".length), match.sight.side);
  const piece = board.manAt(place);
  return `${pieceName(match.its, piece.kind, piece.side)} ${isolated(place)}`;
}

function carried(place) {
  const { kind, side } = place.startsWith("zone:") ? { kind: place.slice("zone:".length), side: match.sight.side } : board.manAt(place);
  return picture(match.its.game, kind, side);
}

function play(actions, place, how) {
  const go = ({ action }) => {
    dropped = how === "drag";
    playAction(action);
    deal();
  };
  if (actions.length === 1) return go(actions[0]);
  const square = actions[0].to;
  chooser.ask(match.its, match.sight.side, actions, board.rectangle(square), go);
}

// Plays in the game, or where something else is looked at beside it.
function playAction(action) {
  if (match.open) match.play(action);
  else if (review.open) review.play(action);
}

function explore(line, after) {
  review.explore([...match.led.map(({ action }) => action), ...line], match.led.length + after);
}

function point(action) {
  board.point(action === null ? null : playable()?.legal.find((legal) => legal.action === action));
}

// A finished game is looked over with its values, from its beginning.
function lookOver() {
  at("analysis").checked = true;
  match.analyse(true);
  review.evaluate();
  review.look(0);
}

// Announces the last move, and the end of a game, to screen readers.
function announceMove(state) {
  const last = state.moves.at(-1);
  if (last) announce(say("moveSaid", { side: say(last.side), action: isolated(written(match.its, last, state.outcome?.reason === "checkmate")) }));
}

function announce(words) {
  at("said").textContent = words;
}

// Shows what went wrong, or with `null` nothing.
function notice(now) {
  trouble = now;
  at("notice").replaceChildren(...(now ? complaint(now) : []));
}

function failed(now) {
  if (!record.complain(complaint(now))) notice(now);
}

function lost() {
  // What the program said before it closed says more.
  if (trouble === null) notice({ id: "lost" });
  searched();
}

function showLanguage() {
  setLanguage(settings.language);
  document.documentElement.lang = currentLanguage();
  document.documentElement.dir = currentLanguage() === "ar" ? "rtl" : "ltr";
  document.title = say("title");
  fill(document);
  at("language").lang = currentLanguage() === "ar" ? "en" : "ar";
  showTheme();
  notice(trouble);
  if (!match.state) return searched();
  searched();
  see("still");
  showPlain(match.open ? new Ways(match.state.legal, match.its.zone_kinds).plain : []);
  chosen(choice);
}

function showTheme() {
  document.documentElement.dataset.theme = settings.theme;
  const words = say("theme", { theme: say(`theme_${settings.theme}`) });
  at("theme").setAttribute("aria-label", words);
  at("theme").title = words;
}

at("language").addEventListener("click", () => {
  settings.language = currentLanguage() === "ar" ? "en" : "ar";
  showLanguage();
});
at("theme").addEventListener("click", () => {
  settings.theme = settings.nextTheme;
  showTheme();
});
at("turn").addEventListener("click", () => {
  turned = !turned;
  searched();
  chosen(choice);
});
at("take-back").addEventListener("click", () => match.takeBack());
at("redo").addEventListener("click", () => match.redo());
at("forget").addEventListener("click", () => {
  review.forget();
  showMoves();
  searched();
  remember();
});
at("pause").addEventListener("click", () => (match.waiting ? match.goOn() : match.pause()));
at("analysis").addEventListener("change", () => match.analyse(at("analysis").checked));
at("level").addEventListener("change", () => {
  settings.level = match.level;
});
at("variety").addEventListener("change", () => {
  settings.variety = match.variety;
});

addEventListener("hashchange", openLink);
addEventListener("pagehide", () => match.state && remember());

// A link is opened once: what is played then is the page's own, also when it is loaded again.
function openLink() {
  if (location.hash.length < 2) return;
  const link = readLink(location.hash);
  history.replaceState(null, "", location.pathname);
  match.follow(link);
}

if (kept) {
  match.restore(kept);
  match.players = kept.players;
}
openLink();
showLanguage();
