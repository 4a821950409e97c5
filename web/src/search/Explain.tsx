import type { Candidate, SearchAnswer } from "@/api/types";
import { Badge } from "@/ui/Badge";
import styles from "./Explain.module.css";
import { ARMS, fateWords, milliseconds, moved, ranksWords, timings } from "./words";

type ExplainProps = {
  answer: Pick<SearchAnswer, "counts" | "timings_ms">;
  candidates: readonly Candidate[];
  /** How many there were in all, where not all are here. */
  considered?: number;
  /** Absent where a passage cannot be opened beside this. */
  onOpen?: (chunkId: string) => void;
};

/** Every candidate with each arm's part of its score, what became of it, and how long the stages took. */
export function Explain({ answer, candidates, considered, onOpen }: ExplainProps) {
  const most = Math.max(...candidates.map((one) => one.score), Number.MIN_VALUE);
  const used = ARMS.filter(({ arm }) => candidates.some((one) => one.shares[arm]));
  return (
    <div className={styles.explain}>
      <Counts counts={answer.counts} />
      <Timings ms={answer.timings_ms} />
      {candidates.length > 0 && (
        <section className={styles.part}>
          <h3 className={styles.title}>Candidates, in the order of fusion</h3>
          <ul className={styles.legend}>
            {used.map(({ arm, label }) => (
              <li key={arm}>
                <span className={styles.swatch} data-arm={arm} aria-hidden="true" />
                {label}
              </li>
            ))}
          </ul>
          <ol className={styles.list}>
            {candidates.map((candidate) => (
              <Row key={candidate.chunk_id} candidate={candidate} most={most} onOpen={onOpen} />
            ))}
          </ol>
          {considered !== undefined && considered > candidates.length && (
            <p className={styles.note}>
              {candidates.length} of {considered} candidates are kept.
            </p>
          )}
        </section>
      )}
    </div>
  );
}

const EVIDENCE = { sure: "sure evidence", likely: "likely evidence" } as const;

type RowProps = { candidate: Candidate; most: number; onOpen?: (chunkId: string) => void };

function Row({ candidate, most, onOpen }: RowProps) {
  const { label, tone } = fateWords(candidate.fate);
  const name = candidate.name ?? "No longer to be seen";
  const move = moved(candidate);
  const facts = [
    ranksWords(candidate.ranks),
    candidate.similarity !== null && `${candidate.similarity.toFixed(2)} near in meaning`,
    candidate.coverage !== null && `${Math.round(candidate.coverage * 100)} % of the words`,
    candidate.evidence && EVIDENCE[candidate.evidence],
    move && `${move} after reranking and spreading`,
  ].filter(Boolean);
  return (
    <li className={styles.row} data-fate={candidate.fate}>
      <span className={styles.n}>{(candidate.fused ?? 0) + 1}</span>
      <div className={styles.what}>
        <div className={styles.head}>
          {onOpen && candidate.name ? (
            <button type="button" className={styles.name} onClick={() => onOpen(candidate.chunk_id)}>
              {name}
            </button>
          ) : (
            <span>{name}</span>
          )}
          {candidate.page_start !== null && candidate.page_start !== undefined && (
            <span className={styles.note}>p. {candidate.page_start}</span>
          )}
          <Badge tone={tone}>{label}</Badge>
        </div>
        <Bar candidate={candidate} most={most} />
        <p className={styles.note}>{facts.join(" · ")}</p>
      </div>
    </li>
  );
}

/** The score as a bar of the arms' parts; its words say the same. */
function Bar({ candidate, most }: { candidate: Candidate; most: number }) {
  const parts = ARMS.filter(({ arm }) => candidate.shares[arm]).map(({ arm, label }) => ({
    arm,
    label,
    share: candidate.shares[arm] ?? 0,
  }));
  const words = parts.map(({ label, share }) => `${label.toLowerCase()} ${share.toFixed(4)}`).join(", ");
  return (
    <div className={styles.bar} role="img" aria-label={`Score ${candidate.score.toFixed(4)}: ${words}`}>
      {parts.map(({ arm, share }) => (
        <span key={arm} data-arm={arm} style={{ width: `${(100 * share) / most}%` }} />
      ))}
    </div>
  );
}

const COUNTS: readonly [string, string][] = [
  ["dense_results", "by meaning"],
  ["sparse_results", "by words"],
  ["graph_results", "by connections"],
  ["rrf_candidates", "after fusion"],
];

function Counts({ counts }: { counts: Record<string, number> }) {
  return (
    <dl className={styles.counts}>
      {COUNTS.map(([name, label]) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{counts[name] ?? 0}</dd>
        </div>
      ))}
    </dl>
  );
}

function Timings({ ms }: { ms: Record<string, number> }) {
  const stages = timings(ms);
  const most = Math.max(...stages.map((stage) => stage.ms), Number.MIN_VALUE);
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>Time</h3>
      <dl className={styles.times}>
        {stages.map((stage) => (
          <div key={stage.label}>
            <dt>{stage.label}</dt>
            <dd>
              <span className={styles.bar} aria-hidden="true">
                <span data-arm="time" style={{ width: `${(100 * stage.ms) / most}%` }} />
              </span>
              {milliseconds(stage.ms)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
