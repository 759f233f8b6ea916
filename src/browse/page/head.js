// Language and colours, which the page to play on remembers too.

import { settings } from "/assets/settings.js";
import { fill, say, setLanguage } from "/assets/words.js";
import { fillTerms } from "./terms.js";

function at(id) {
  return document.getElementById(id);
}

// `changed`: the language has changed, and what the page shows is to be shown again.
export function setHead(changed) {
  const show = () => {
    const page = document.documentElement;
    setLanguage(settings.language);
    page.lang = settings.language;
    page.dir = settings.language === "ar" ? "rtl" : "ltr";
    page.dataset.theme = settings.theme;
    fill(document);
    fillTerms(document);
    at("theme").setAttribute("aria-label", say("theme", { theme: say(`theme_${settings.theme}`) }));
  };
  at("language").addEventListener("click", () => {
    settings.language = settings.language === "ar" ? "en" : "ar";
    show();
    changed();
  });
  at("theme").addEventListener("click", () => {
    settings.theme = settings.nextTheme;
    show();
  });
  show();
}
