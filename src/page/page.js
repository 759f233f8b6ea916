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
