import type { SearchAnswer } from "@/api/types";
import { GROUNDING } from "@/chat/words";
import { Badge } from "@/ui/Badge";
import styles from "./Verdict.module.css";
import { filterWords, gatedWords, milliseconds, reasonWords } from "./words";

type VerdictProps = {
  answer: Pick<SearchAnswer, "grounding" | "reasons" | "relaxed" | "gated" | "timings_ms">;
};

/** What a search came to in one line, and what it left out. */
export function Verdict({ answer }: VerdictProps) {
  const reasons = answer.reasons.filter((reason) => reason !== "filters_relaxed").map(reasonWords);
  const gated = gatedWords(answer.gated);
  const total = answer.timings_ms.total;
  return (
    <div className={styles.verdict} role="status">
      <p className={styles.line}>
        <Badge tone={answer.grounding}>{GROUNDING[answer.grounding]}</Badge>
        <span>
          {reasons.join(", ")}
          {total !== undefined && ` · ${milliseconds(total)}`}
        </span>
      </p>
      {answer.relaxed.length > 0 && (
        <p className={styles.notice}>
          Nothing was found inside every filter, so {filterWords(answer.relaxed)}{" "}
          {answer.relaxed.length === 1 ? "was" : "were"} left out.
        </p>
      )}
      {gated && <p className={styles.line}>Passages kept out: {gated}.</p>}
    </div>
  );
}
