/** Estimates the time a stage still takes, from the counts the page has seen go by. */
import type { Progress } from "./words";

interface Sample {
  at: number;
  done: number;
}

export interface Track {
  stage: string;
  first: Sample;
  last: Sample;
}

// Two seconds and a tenth of the work: before that the estimate jumps about more than it tells.
const SETTLE_MS = 2000;
const SETTLE_SHARE = 0.1;

/** Remembers a count; a new stage or a count that went back begins anew. */
export function track(known: Track | undefined, stage: string, done: number, at: number): Track {
  const sample = { at, done };
  if (!known || known.stage !== stage || done < known.last.done)
    return { stage, first: sample, last: sample };
  return done === known.last.done ? known : { ...known, last: sample };
}

/** Seconds left in the stage at time `now`, or null while nobody can tell. */
export function secondsLeft(known: Track | undefined, progress: Progress | null, now: number): number | null {
  if (!known || !progress || progress.total <= 0) return null;
  const moved = known.last.done - known.first.done;
  const took = known.last.at - known.first.at;
  if (took < SETTLE_MS || moved < SETTLE_SHARE * progress.total) return null;
  const left = ((progress.total - known.last.done) * took) / moved - (now - known.last.at);
  return Math.max(0, left / 1000);
}

/** "a few seconds left", "about 20 s left", "about 3 min left". */
export function etaWords(left: number | null): string {
  if (left === null) return "";
  if (left < 5) return "a few seconds left";
  if (left < 55) return `about ${Math.ceil(left / 5) * 5} s left`;
  return `about ${Math.max(1, Math.round(left / 60))} min left`;
}
