import type { Grounding, GroundingState } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { GROUNDING, plural } from "../words";
import styles from "./GroundingMark.module.css";

/** Filled, half, ring and dash, so that the states differ without colour too. */
const SHAPES: Record<GroundingState, string> = {
  grounded: "M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z",
  partly: "M6 1.5a4.5 4.5 0 0 0 0 9z",
  general: "",
  none: "M3.5 5.2h5v1.6h-5z",
};

/** How far an answer rests on the documents, in words, with the reasons in a fold. */
export function GroundingMark({ grounding }: { grounding: Grounding }) {
  const { state, unsupported } = grounding;
  const reasons = reasonsOf(grounding);
  const mark = (
    <Badge tone={state}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.4" />
        <path d={SHAPES[state]} fill="currentColor" />
      </svg>
      {GROUNDING[state]}
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

const REASONS: Record<string, string> = {
  strong_evidence: "The passages found fit the question closely.",
  weak_evidence_only: "The passages found touch the question only loosely.",
  nothing_relevant: "Nothing that was found fits the question.",
  nothing_found: "Nothing was found for the question.",
  no_evidence: "No passage was read for this answer.",
  no_citations: "The answer cites none of the passages that were read.",
};

/** Reasons in words; `unsupported_sentences` is left out because the sentences themselves follow. */
function reasonsOf({ reasons, unsupported }: Grounding): string[] {
  return [
    ...reasons.filter((code) => code !== "unsupported_sentences").map((code) => REASONS[code] ?? code),
    ...unsupported.map((sentence) => `Not found in the passage it cites: “${sentence}”`),
  ];
}
