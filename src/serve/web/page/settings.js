// What the page remembers: language, colours, strength, variety and what was explained for good, the game for as long as the page is open.

import { VARIETIES } from "./levels.js";

function read(store, key) {
  try {
    return JSON.parse(store.getItem(`maydan.${key}`));
  } catch {
    return null;
  }
}

// A browser may forbid to store anything: then nothing is remembered.
function write(store, key, value) {
  try {
    store.setItem(`maydan.${key}`, JSON.stringify(value));
  } catch {}
}

const THEMES = ["auto", "light", "dark"];

export const settings = {
  get language() {
    return read(localStorage, "language") ?? (navigator.language.startsWith("ar") ? "ar" : "en");
  },
  set language(value) {
    write(localStorage, "language", value);
  },
  get theme() {
    const theme = read(localStorage, "theme");
    return THEMES.includes(theme) ? theme : "auto";
  },
  set theme(value) {
    write(localStorage, "theme", value);
  },
  get nextTheme() {
    return THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
  },
  get level() {
    const level = read(localStorage, "level");
    return level?.playouts > 0 || level?.seconds > 0 ? level : null;
  },
  set level(value) {
    write(localStorage, "level", value);
  },
  get variety() {
    const variety = read(localStorage, "variety");
    return Object.hasOwn(VARIETIES, variety) ? variety : null;
  },
  set variety(value) {
    write(localStorage, "variety", value);
  },
  // Games whose zones were explained.
  get explained() {
    const explained = read(localStorage, "explained");
    return Array.isArray(explained) ? explained : [];
  },
  set explained(value) {
    write(localStorage, "explained", value);
  },
  get game() {
    return read(sessionStorage, "game");
  },
  set game(value) {
    write(sessionStorage, "game", value);
  },
};
