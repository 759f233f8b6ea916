// The rules of a game as elements: the part of Markdown that they are written in.

function inline(text) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)]+\))/);
  return parts.filter(Boolean).map((part) => {
    if (part.startsWith("`")) return wrap("code", [part.slice(1, -1)]);
    if (part.startsWith("**")) return wrap("strong", inline(part.slice(2, -2)));
    if (part.startsWith("*") && part.length > 2) return wrap("em", inline(part.slice(1, -1)));
    const link = /^\[([^\]]+)\]/.exec(part);
    return link ? link[1] : part;
  });
}

function wrap(name, children) {
  const element = document.createElement(name);
  element.append(...children);
  return element;
}

function table(lines) {
  const rows = lines.filter((line) => !/^\|[\s|:-]+\|$/.test(line)).map((line) => line.slice(1, -1).split("|").map((cell) => cell.trim()));
  const made = rows.map((cells, at) => wrap("tr", cells.map((cell) => wrap(at === 0 ? "th" : "td", inline(cell)))));
  const box = wrap("div", [wrap("table", made)]);
  box.className = "scroll";
  return box;
}

// The blocks of a text: each is a kind and its lines.
function blocks(text) {
  const blocks = [];
  let fenced = false;
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    if (line.startsWith("```")) {
      fenced = !fenced;
      if (fenced) blocks.push({ kind: "code", lines: [] });
      else blocks.push({ kind: "gap", lines: [] });
    } else if (fenced) last.lines.push(line);
    else if (line.trim() === "") blocks.push({ kind: "gap", lines: [] });
    else if (line.startsWith("#")) blocks.push({ kind: "heading", lines: [line] });
    else if (line.startsWith("- ")) {
      if (last?.kind === "list") last.lines.push(line.slice(2));
      else blocks.push({ kind: "list", lines: [line.slice(2)] });
    } else if (last?.kind === "list") last.lines.push(`${last.lines.pop()} ${line.trim()}`);
    else {
      const kind = line.startsWith("|") ? "table" : "paragraph";
      if (last?.kind === kind) last.lines.push(line);
      else blocks.push({ kind, lines: [line] });
    }
  }
  return blocks;
}

// Games whose rules stand in the book of another.
const BOOKS = { chess: "shatara" };

// Where the page has the rules of a game in a language of its own.
export function addressOf(game, language) {
  return `/assets/rules-${BOOKS[game] ?? game}.${language}.md`;
}

export function rulebook(text) {
  const make = {
    gap: () => [],
    code: (lines) => [wrap("pre", [wrap("code", [lines.join("\n")])])],
    heading: ([line]) => [wrap(line.startsWith("##") ? "h3" : "h2", inline(line.replace(/^#+\s*/, "")))],
    list: (lines) => [wrap("ul", lines.map((line) => wrap("li", inline(line))))],
    table: (lines) => [table(lines)],
    paragraph: (lines) => [wrap("p", inline(lines.join(" ")))],
  };
  return blocks(text).flatMap(({ kind, lines }) => make[kind](lines));
}
