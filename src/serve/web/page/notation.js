// Moves in a form to be read: the piece, where from and where to, what it took, what it became, and check.

import { choiceOf, kindActionName } from "./words.js";

// Kinds of action that the signs of a move say already; the others are named beside it.
const SPOKEN = new Set(["quiet", "capture", "jump", "castling", "en_passant", "promotion"]);

// The grammar of all games: squares of a small letter and a number, a piece from a zone, a placing, and what is to choose.
function gesture(action) {
  const dropped = /^([A-Z])@([a-z]\d+)$/.exec(action);
  if (dropped) return { from: null, to: dropped[2], sign: "@", choice: null };
  const moved = /^([a-z]\d+)(@?)([a-z]\d+)([a-z]*)$/.exec(action);
  return moved && { from: moved[1], to: moved[3], sign: moved[2], choice: moved[4] || null };
}

function column(bot, name) {
  return bot.board.squares.find((square) => square.name === name)?.column;
}

function squares(bot, { action, kind, piece, capture }) {
  const { from, to, sign, choice } = gesture(action);
  const letter = piece === "P" && from !== null ? "" : (piece ?? "");
  if (from === null) return `${letter}@${to}`;
  if (kind === "castling") return column(bot, to) > column(bot, from) ? "O-O" : "O-O-O";
  if (from === to) return `${letter}${to}=${choice?.toUpperCase() ?? ""}`;
  const becomes = kind === "promotion" && choice ? `=${choice.toUpperCase()}` : "";
  return `${letter}${from}${sign || (capture ? "x" : "-")}${to}${becomes}${kind === "en_passant" ? " e.p." : ""}`;
}

// A move of the server in text. `mate`: whether it ended the game so.
export function written(bot, move, mate = false) {
  if (!gesture(move.action)) return kindActionName(bot, move.kind) || move.action;
  return squares(bot, move) + (mate ? "#" : move.check ? "+" : "");
}

// What is to be said of a move beside its signs: that it used the reserve, and how; null for nothing.
export function event(bot, move) {
  const found = gesture(move.action);
  if (!found || SPOKEN.has(move.kind) || !move.kind) return null;
  return choiceOf(bot, { kind: move.kind, choice: found.choice })?.words ?? kindActionName(bot, move.kind);
}

// A legal action as a move, by what stands on the board.
export function asMove(legal, sight) {
  const on = (name) => sight.pieces.find(({ square }) => square === name);
  const piece = legal.from?.startsWith("zone:") ? legal.from.slice("zone:".length) : on(legal.from)?.kind;
  const taken = on(legal.to);
  const capture = ["capture", "en_passant", "jump"].includes(legal.kind) || (taken !== undefined && taken.side !== sight.side);
  return { action: legal.action, side: sight.side, kind: legal.kind, piece, capture, check: false };
}
