// The three dialogs: another game, the record, the rules.

import { linkTo } from "./link.js";
import { picture } from "./pieces.js";
import { addressOf, rulebook } from "./rulebook.js";
import { currentLanguage, gameName, isolated, say } from "./words.js";

const LARGEST_FILE = 1 << 20;

function at(id) {
  return document.getElementById(id);
}

// Who presses Enter in a line of a dialog does not mean its first button.
function quietly(input, meant) {
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    meant();
  });
}

export class NewGame {
  #match;

  constructor(match) {
    this.#match = match;
    at("new-game").addEventListener("click", () => this.open());
    quietly(at("position"), () => this.#begin(this.#match.bot));
  }

  open() {
    at("position").value = "";
    at("bots").replaceChildren(...this.#match.bots.map((bot, index) => this.#card(bot, index)));
    at("new-dialog").showModal();
    at("bots").children[this.#match.bot]?.firstChild.focus();
  }

  #card(bot, index) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.bot = bot.name;
    const words = document.createElement("span");
    const name = document.createElement("strong");
    name.textContent = gameName(bot);
    const details = document.createElement("small");
    const elo = bot.elo == null ? [] : [say("elo", { n: isolated(Math.round(bot.elo)) })];
    details.textContent = [isolated(bot.name), ...elo].join(" · ");
    details.title = say("rulesHash", { hash: isolated(bot.ruleset) });
    words.append(name, details);
    button.append(picture(bot.game, bot.words.emblem, "white"), words);
    button.addEventListener("click", () => this.#begin(index));
    item.append(button);
    return item;
  }

  #begin(index) {
    at("new-dialog").close();
    this.#match.begin(index, at("position").value.trim() || null);
  }
}

export class RecordDialog {
  #match;

  constructor(match) {
    this.#match = match;
    at("record").addEventListener("click", () => this.open());
    at("copy").addEventListener("click", () => this.#copy(at("record-now"), at("copy")));
    at("copy-link").addEventListener("click", () => this.#copy(at("link-now"), at("copy-link")));
    at("save").addEventListener("click", () => this.#save());
    at("load").addEventListener("click", () => this.#load(at("record-load").value));
    at("choose-file").addEventListener("click", () => at("file").click());
    at("file").addEventListener("change", () => this.#read(at("file").files[0]));
  }

  open() {
    at("record-now").value = this.#match.state?.record ?? "";
    at("position-now").value = this.#match.sight?.position ?? "";
    at("link-now").value = this.#match.state ? this.#link() : "";
    at("record-load").value = "";
    at("record-notice").textContent = "";
    at("copy").textContent = say("copy");
    at("copy-link").textContent = say("copyLink");
    at("record-dialog").showModal();
  }

  // The game and the position in it that is looked at; beside the game, the line that leads there.
  #link() {
    const { its, start, state, past, seen } = this.#match;
    const line = (past?.moves ?? state.moves).map(({ action }) => action);
    const { origin, pathname } = location;
    return origin + pathname + linkTo({ name: its.name, ruleset: its.ruleset, start: start === its.start ? null : start, line, at: seen });
  }

  // The clipboard needs a secure page; elsewhere the text is chosen and copied as of old.
  async #copy(field, button) {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.select();
      document.execCommand("copy");
    }
    button.textContent = say("copied");
  }

  #save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.#match.state?.record ?? ""], { type: "text/plain" }));
    link.download = `${this.#match.its.game}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async #read(file) {
    at("file").value = "";
    if (!file) return;
    if (file.size > LARGEST_FILE) {
      at("record-notice").textContent = say("fileLarge");
      return;
    }
    try {
      this.#load(await file.text());
    } catch {
      at("record-notice").textContent = say("fileUnread");
    }
  }

  #load(record) {
    if (record.trim() === "") return;
    at("record-notice").textContent = "";
    this.#match.load(record);
  }

  // A record that was read: the dialog has done its work.
  done() {
    at("record-dialog").close();
  }

  // Whether the dialog shows what went wrong: nodes and texts.
  complain(words) {
    if (!at("record-dialog").open) return false;
    at("record-notice").replaceChildren(...words);
    return true;
  }
}

export class Rules {
  constructor(match) {
    at("rules").addEventListener("click", () => {
      this.#fill(match.its);
      at("rules-dialog").showModal();
    });
  }

  // The server tells the rules in English; where the page has them in its own language, they take that place.
  async #fill({ game, rules }) {
    const book = at("rulebook");
    const language = currentLanguage();
    Object.assign(book, { lang: "en", dir: "ltr" });
    book.replaceChildren(...rulebook(rules));
    if (language === "en") return;
    const answer = await fetch(addressOf(game, language));
    if (!answer.ok) return;
    book.replaceChildren(...rulebook(await answer.text()));
    Object.assign(book, { lang: language, dir: "rtl" });
  }

  show(match) {
    at("rules").hidden = !match.its?.rules;
  }
}
