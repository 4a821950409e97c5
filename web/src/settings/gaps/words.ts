import type { Gap } from "@/api/types";

/** "3 questions wait for a document." */
export function countWords(open: number): string {
  if (open === 0) return "No question waits for a document.";
  return open === 1 ? "1 question waits for a document." : `${open} questions wait for a document.`;
}

/** "asked 4 times, last on 5 May". */
export function timesWords({ times, asked_at }: Pick<Gap, "times" | "asked_at">): string {
  const day = new Date(asked_at).toLocaleDateString("en-GB", { day: "numeric", month: "long" });
  return `asked ${times === 1 ? "once" : `${times} times`}, last on ${day}`;
}
