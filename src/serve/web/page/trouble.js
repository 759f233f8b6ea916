// What went wrong, in the page's language. The server's line, which is English, says more than the page knows.

import { currentLanguage, has, say } from "./words.js";

// What to show of `{ id, message }`: of the page's own troubles there is no message, their words are those of `id`.
export function complaint({ id, message }) {
  if (message === undefined) return [say(id)];
  if (currentLanguage() === "en") return [message];
  const line = document.createElement("span");
  Object.assign(line, { className: "detail", lang: "en", dir: "ltr", textContent: message });
  return has(`error_${id}`) ? [say(`error_${id}`), line] : [line];
}
