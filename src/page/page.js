// Shows the language that the address names after its `#`.
function show() {
  const language = location.hash.slice(1);
  if (language !== "en" && language !== "ar") return;
  const page = document.documentElement;
  page.lang = language;
  page.dir = language === "ar" ? "rtl" : "ltr";
  document.title = page.dataset[language];
}
addEventListener("hashchange", show);
addEventListener("DOMContentLoaded", show);
show();

// Where a page has games beside it, what is said of some of them leads there.
function linkGames() {
  const album = document.querySelector("a.games");
  if (!album) return;
  for (const element of document.querySelectorAll("[data-games]")) {
    const link = document.createElement("a");
    link.href = `${album.getAttribute("href")}#${new URLSearchParams(element.dataset.games)}`;
    link.append(...element.childNodes);
    element.append(link);
  }
}
addEventListener("DOMContentLoaded", linkGames);

// Where there is room, sections and tables are not folded.
function unfold() {
  if (!matchMedia("(min-width: 60rem)").matches) return;
  for (const fold of document.querySelectorAll("details.fold")) fold.open = true;
}
addEventListener("DOMContentLoaded", unfold);

// A link into what is folded unfolds it, in browsers too that do not do so by themselves.
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  const folds = [];
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) folds.push(fold);
  if (folds.every((fold) => fold.open)) return;
  for (const fold of folds) fold.open = true;
  target.scrollIntoView();
}
addEventListener("hashchange", reveal);
addEventListener("DOMContentLoaded", reveal);

// Paper shows what the screen folds, in browsers too that cannot do it by style alone.
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:is(.fold, .code):not([open])")];
  for (const fold of folded) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of folded) fold.open = false;
});
