import { useEffect, useRef, useState } from "react";
import type { Run } from "./run";
import { claimsNothing, MARKS, markOf, plural } from "./words";

/** What a screen reader hears of a run: one sentence when it is over, nothing per word. */
export function useAnnouncement(run: Run | undefined): string {
  const [words, setWords] = useState("");
  const before = useRef(run?.status);
  useEffect(() => {
    if (before.current === "running" && run && run.status !== "running") setWords(outcome(run));
    if (run?.status === "running") setWords("");
    before.current = run?.status;
  }, [run]);
  return words;
}

export function outcome(run: Run): string {
  if (run.status === "failed") return `The answer failed. ${run.error?.message ?? ""}`.trim();
  if (run.finish === "stopped") return "Answer stopped.";
  const parts = ["Answer ready."];
  if (run.grounding && !claimsNothing(run.grounding))
    parts.push(`${MARKS[markOf(run.grounding, "answer")]}.`);
  if (run.sources.length > 0) parts.push(`${plural(run.sources.length, "passage")} read.`);
  return parts.join(" ");
}
