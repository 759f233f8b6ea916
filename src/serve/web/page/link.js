// A game in the address of the page, behind its `#`: which bot's, where it began, its moves, and what is looked at.

const ACTION = /^[0-9A-Za-z@]{1,16}$/;
const RULESET = /^[0-9a-f]{16}$/;
const LONGEST = 60_000;

// `at`: how many of the moves lead to what is looked at. A start that is the game's usual one is left out.
export function linkTo({ name, ruleset, start, line, at }) {
  const parts = new URLSearchParams({ bot: name, rules: ruleset });
  if (start !== null) parts.set("start", start);
  if (line.length > 0) parts.set("moves", line.join("."));
  if (at < line.length) parts.set("at", at);
  return `#${parts}`;
}

// What a text behind `#` names; null where it is no link of this page. What it names is still to be tried by the rules.
export function readLink(hash) {
  if (hash.length > LONGEST) return null;
  const parts = new URLSearchParams(hash.slice(1));
  const [name, ruleset, start] = ["bot", "rules", "start"].map((part) => parts.get(part));
  const moves = parts.get("moves");
  const line = moves ? moves.split(".") : [];
  const at = parts.has("at") ? Number(parts.get("at")) : line.length;
  const sound = name !== null && RULESET.test(ruleset ?? "") && line.every((action) => ACTION.test(action));
  return sound && Number.isInteger(at) && at >= 0 ? { name, ruleset, start, line, at } : null;
}
