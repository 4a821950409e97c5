/** The words for what happened in a search: arms, fates, stages and reasons. */
import type { Candidate } from "@/api/types";
import type { Tone } from "@/ui/Badge";

export type Arm = "dense" | "keyword" | "graph" | "exact";

export const ARMS: readonly { arm: Arm; label: string }[] = [
  { arm: "dense", label: "Meaning" },
  { arm: "keyword", label: "Words" },
  { arm: "exact", label: "Exact codes" },
  { arm: "graph", label: "Connections" },
];

const FATES: Record<Candidate["fate"], { label: string; tone: Tone }> = {
  shown: { label: "Read", tone: "grounded" },
  reranked_out: { label: "Reranked out", tone: "partly" },
  over_cap: { label: "Over its document's share", tone: "general" },
  beyond_k: { label: "Came too late", tone: "general" },
  below_floor: { label: "Too weak", tone: "none" },
  judged_out: { label: "Judged not to answer", tone: "none" },
  gone: { label: "Gone meanwhile", tone: "failed" },
};

export function fateWords(fate: string): { label: string; tone: Tone } {
  return FATES[fate as Candidate["fate"]] ?? { label: fate, tone: "general" };
}

const STAGES: Record<string, string> = {
  not_visible: "You cannot see it",
  not_parsed: "It has not been read",
  gated: "A gate keeps it out",
  filtered_out: "A filter leaves it out",
  below_candidates: "No arm brought it in time",
  below_floor: "Its passages are too weak",
  capped: "It had used up its share",
  outranked: "Others came first",
  reranked_out: "The reranker put others first",
  judged_out: "The judge found no answer in it",
  used: "It is among the results",
};

export function stageTitle(stage: string): string {
  return STAGES[stage] ?? stage;
}

/** Every stage a document passes, in order, as the ladder shows them. */
export const LADDER: readonly { stage: string; label: string }[] = [
  { stage: "visible", label: "You can see it" },
  { stage: "parsed", label: "It has been read" },
  { stage: "admitted", label: "No gate keeps it out" },
  { stage: "inside_filters", label: "Inside the filters" },
  { stage: "candidate", label: "Found by an arm" },
  { stage: "evidence", label: "Strong enough" },
  { stage: "ranked", label: "Ranked high enough" },
  { stage: "used", label: "Read for the answer" },
];

const REASONS: Record<string, string> = {
  strong_evidence: "strong evidence",
  weak_evidence_only: "weak evidence only",
  nothing_relevant: "nothing near enough",
  nothing_found: "nothing found",
  words_only: "by words only, the embedding model does not answer",
  filters_relaxed: "filters left out",
};

export function reasonWords(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll("_", " ");
}

const FILTERS: Record<string, string> = {
  media_types: "type of file",
  languages: "language",
  types: "kind of document",
  topics: "topic",
  since: "first day",
  until: "last day",
};

/** "the language and the first day". */
export function filterWords(names: readonly string[]): string {
  const words = names.map((name) => `the ${FILTERS[name] ?? name}`);
  const last = words.pop() ?? "";
  return words.length > 0 ? `${words.join(", ")} and ${last}` : last;
}

/** "12 kept for style, 3 not trusted enough, 1 with protected words"; null where no gate kept anything out. */
export function gatedWords(gated: { use: number; trust: number; redaction: number }): string | null {
  const parts = [
    gated.use && `${gated.use} kept for style`,
    gated.trust && `${gated.trust} not trusted enough`,
    gated.redaction && `${gated.redaction} with protected words`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(", ") : null;
}

const TIMINGS: readonly [string, string][] = [
  ["embed", "Query model"],
  ["dense", "Meaning"],
  ["keyword", "Words"],
  ["graph", "Connections"],
  ["fetch", "Gates and reading"],
  ["rerank", "Reranking"],
  ["total", "Together"],
];

/** Times of the stages that ran, in order; those nobody named here come under their own names. */
export function timings(ms: Record<string, number>): { label: string; ms: number }[] {
  const known = TIMINGS.filter(([name]) => name in ms).map(([name, label]) => ({ label, ms: ms[name] ?? 0 }));
  const others = Object.entries(ms).filter(([name]) => !TIMINGS.some(([one]) => one === name));
  return [...known, ...others.map(([label, value]) => ({ label: label.replaceAll("_", " "), ms: value }))];
}

export function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** "+3", "−2" or "": how many places reranking and spreading moved a candidate. */
export function moved({ fused, place }: Pick<Candidate, "fused" | "place">): string {
  if (fused === null || place === null || fused === place) return "";
  return place < fused ? `+${fused - place}` : `−${place - fused}`;
}

/** "2nd by meaning, 1st by words". */
export function ranksWords(ranks: Candidate["ranks"]): string {
  return ARMS.filter(({ arm }) => typeof ranks[arm] === "number")
    .map(({ arm, label }) => `${ordinal((ranks[arm] ?? 0) + 1)} by ${label.toLowerCase()}`)
    .join(", ");
}

export function ordinal(n: number): string {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th");
  return `${n}${ending}`;
}
