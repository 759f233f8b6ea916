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
