// Words of these pages beside those of the page to play on, in both languages.

import { currentLanguage, isolated } from "/assets/words.js";

const ENGLISH = {
  games: "Games",
  watch: "Live",
  run: "Run",
  result: "Result",
  any: "any",
  white: "White",
  black: "Black",
  draw: "draw",
  reason: "End",
  plies: "Plies",
  generation: "Generation",
  from: "from",
  to: "to",
  opening: "First moves",
  openingHint: "e2e4 e7e5",
  kind: "With",
  clear: "Clear",
  found: "{n} games",
  page: "{first} to {last} of {n}",
  newer: "Newer",
  older: "Older",
  game: "Game",
  none: "No game fits.",
  noGames: "No game of this run has been read yet.",
  leftOut: "{n} files left out: {why}",
  unread: "The server does not answer.",
  wrong: "The address names no game that is here.",
  first: "First",
  previous: "Previous",
  next: "Next",
  last: "Last",
  turn: "Turn board",
  ofPlies: "{at} of {n} plies",
  full: "full search",
  cheap: "cheap search",
  openingMove: "drawn from the policy",
  forced: "only move",
  move: "Move",
  visits: "Visits",
  policy: "Policy",
  value: "Value",
  played: "played",
  ended: "{result}, {reason}",
  value_white: "White expects {v}",
  chosen: "{action}: {how}, prior {prior}",
  noPrior: "{action}: {how}",
  download: "Record",
  newest: "Newest game",
  lastGames: "Last games",
  updated: "Read at {time}; again every {n} seconds",
  replay: "The newest whole game, move by move",
  nothing: "The run has reported nothing yet.",
};

const ARABIC = {
  games: "المباريات",
  watch: "مباشر",
  run: "التجربة",
  result: "النتيجة",
  any: "الكل",
  white: "الأبيض",
  black: "الأسود",
  draw: "تعادل",
  reason: "النهاية",
  plies: "أنصاف النقلات",
  generation: "الجيل",
  from: "من",
  to: "إلى",
  opening: "أولى النقلات",
  openingHint: "e2e4 e7e5",
  kind: "فيها",
  clear: "مسح",
  found: "{n} مباراة",
  page: "{first} إلى {last} من {n}",
  newer: "الأحدث",
  older: "الأقدم",
  game: "المباراة",
  none: "لا مباراة توافق ذلك.",
  noGames: "لم تُقرأ مباراة من هذه التجربة بعد.",
  leftOut: "تُركت {n} ملفات: {why}",
  unread: "الخادم لا يجيب.",
  wrong: "لا يدل العنوان على مباراة هنا.",
  first: "الأولى",
  previous: "السابقة",
  next: "التالية",
  last: "الأخيرة",
  turn: "أدر الرقعة",
  ofPlies: "{at} من {n} نصف نقلة",
  full: "بحث كامل",
  cheap: "بحث سريع",
  openingMove: "سُحبت من السياسة",
  forced: "النقلة الوحيدة",
  move: "النقلة",
  visits: "الزيارات",
  policy: "السياسة",
  value: "القيمة",
  played: "لُعبت",
  ended: "{result}، {reason}",
  value_white: "يتوقع الأبيض {v}",
  chosen: "{action}: {how}، احتمالها الأول {prior}",
  noPrior: "{action}: {how}",
  download: "السجلّ",
  newest: "أحدث مباراة",
  lastGames: "آخر المباريات",
  updated: "قُرئت الساعة {time}، وتُقرأ كل {n} ثوانٍ",
  replay: "أحدث مباراة كاملة، نقلةً نقلة",
  nothing: "لم تخبر التجربة بشيء بعد.",
};

const TERMS = { en: ENGLISH, ar: ARABIC };

// The words of `key`; `parts` are set from left to right in either language.
export function term(key, parts = {}) {
  const words = TERMS[currentLanguage()][key] ?? key.replaceAll("_", " ");
  return words.replace(/\{(\w+)\}/g, (all, name) => (name in parts ? isolated(String(parts[name])) : all));
}

// Sets the words of all elements below `root` that name theirs.
export function fillTerms(root) {
  for (const element of root.querySelectorAll("[data-term]")) element.textContent = term(element.dataset.term);
  for (const element of root.querySelectorAll("[data-term-label]")) element.setAttribute("aria-label", term(element.dataset.termLabel));
  for (const element of root.querySelectorAll("[data-term-hint]")) element.placeholder = term(element.dataset.termHint);
}

// A value or a share as people read it.
export function signed(value) {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;
}
