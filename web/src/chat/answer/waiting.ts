import type { Answer } from "../turns";

/** What an answer without words yet is waiting for. */
export function waitingWords(answer: Answer): string | null {
  if (!answer.streaming || answer.text !== "" || answer.thinking !== "") return null;
  if (answer.pause !== null) return `the model is busy, trying again in ${Math.ceil(answer.pause)} s…`;
  return answer.tools.length === 0 ? "Starting…" : "writing…";
}
