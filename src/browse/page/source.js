// Where games come from: the server of this page.

import { Refusal } from "./refusal.js";

async function ask(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(given);
  const answer = await fetch(`${path}${given.length > 0 ? `?${query}` : ""}`);
  if (!answer.ok) throw new Refusal(answer.status, (await answer.text()).trim());
  return answer.json();
}

export const source = {
  runs: () => ask("/runs"),
  rules: (run) => ask(`/runs/${encodeURIComponent(run)}/rules`),
  progress: (run) => ask(`/runs/${encodeURIComponent(run)}/progress`),
  list: (filter) => ask("/list", filter),
  game: (run, generation, index) => ask("/game", { run, generation, index }),
};
