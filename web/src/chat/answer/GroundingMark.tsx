import type { Grounding, Message } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { useActions } from "../actions";
import { MARKS, type Mark, markOf, plural } from "../words";
import styles from "./GroundingMark.module.css";

/** Filled, half, ring, dash, heart and bar, so that the states differ without colour too. */
const SHAPES: Record<Mark, string> = {
  grounded: "M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z",
  partly: "M6 1.5a4.5 4.5 0 0 0 0 9z",
  general: "",
  none: "M3.5 5.2h5v1.6h-5z",
  crisis: "M6 8.8L3.4 6.1a1.5 1.5 0 0 1 2.1-2.2L6 4.4l.5-.5a1.5 1.5 0 0 1 2.1 2.2z",
  declined: "M5.2 3h1.6v6H5.2z",
};

type GroundingMarkProps = {
  grounding: Grounding;
  kind: Message["kind"];
  /** All that it rests on are pages of the web. */
  isFromWeb: boolean;
};

/** How far an answer rests on the documents, in words, with the reasons in a fold. */
export function GroundingMark({ grounding, kind, isFromWeb }: GroundingMarkProps) {
  const state = markOf(grounding, kind);
  const isGuest = useActions() === null;
  const { unsupported } = grounding;
  const reasons = reasonsOf(grounding);
  const mark = (
    <Badge tone={state === "crisis" || state === "declined" ? "general" : state}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
        <path d={SHAPES[state]} fill="currentColor" />
      </svg>
      {wordsOf(state, { isGuest, isFromWeb })}
      {unsupported.length > 0 && `, ${plural(unsupported.length, "sentence")} in doubt`}
    </Badge>
  );
  if (reasons.length === 0) return mark;
  return (
    <details className={styles.mark}>
      <summary className={styles.summary}>{mark}</summary>
      <ul className={styles.reasons}>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </details>
  );
}

const FROM_WEB: Partial<typeof MARKS> = {
  grounded: "Grounded in pages of the web",
  partly: "Partly grounded in pages of the web",
};

/** A guest has no documents, and pages of the web are nobody's. */
function wordsOf(state: Mark, { isGuest, isFromWeb }: { isGuest: boolean; isFromWeb: boolean }): string {
  const words = (isFromWeb && FROM_WEB[state]) || MARKS[state];
  return isGuest ? words.replace("your", "the") : words;
}

const REASONS: Record<string, string> = {
  strong_evidence: "The passages found fit the question closely.",
  weak_evidence_only: "The passages found touch the question only loosely.",
  nothing_relevant: "Nothing that was found fits the question.",
  nothing_found: "Nothing was found for the question.",
  no_evidence: "No passage was read for this answer.",
  web: "Pages of the web were read, because the documents did not answer.",
  no_citations: "The answer cites none of the passages that were read.",
  declined: "An administrator has asked that this subject is left to people.",
};
const UNSAID = new Set(["unsupported_sentences", "crisis"]); // the sentences follow; the badge says it

/** Reasons in words. One that has no words yet is left out rather than shown as a code. */
function reasonsOf({ reasons, unsupported }: Grounding): string[] {
  return [
    ...reasons.filter((code) => !UNSAID.has(code)).flatMap((code) => REASONS[code] ?? []),
    ...unsupported.map((sentence) => `Not found in the passage it cites: “${sentence}”`),
  ];
}
