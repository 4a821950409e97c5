import { useEffect, useReducer, useRef } from "react";
import type { Document } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { Progress } from "@/ui/Progress";
import { etaWords, secondsLeft, type Track, track } from "./eta";
import { useRun } from "./queries";
import { RowButton } from "./RowButton";
import styles from "./StateCell.module.css";
import { problemOf, stageWords, statusWords } from "./words";

type StateCellProps = { document: Document; onDelete: () => void };

/** Where a document stands: a word when it is ready, a bar while it works, the reason and a way on if not. */
export function StateCell({ document, onDelete }: StateCellProps) {
  const retry = useRun("retry");
  const { label, tone } = statusWords(document.status);
  if (tone === "busy") return <Working document={document} />;
  if (tone === "ready") return <span className={styles.ready}>{label}</span>;
  const problem = problemOf(document);
  return (
    <div className={styles.problem}>
      <Badge tone={tone === "failed" ? "failed" : tone === "attention" ? "partly" : "none"}>{label}</Badge>
      {problem && (
        <p className={styles.reason}>
          {problem.reason} {problem.hint && <span className={styles.hint}>{problem.hint}</span>}
        </p>
      )}
      {document.status !== "partial" && (
        <div className={styles.actions}>
          {document.status !== "needs_ocr" && (
            <RowButton icon="retry" isBusy={retry.isPending} onPress={() => retry.mutate(document.id)}>
              Try again
            </RowButton>
          )}
          <RowButton onPress={onDelete}>Delete</RowButton>
        </div>
      )}
    </div>
  );
}

export function Working({ document: { name, stage, status, progress } }: { document: Document }) {
  const shownStage = status === "pending" ? "queued" : stage;
  const left = useSecondsLeft(shownStage, progress);
  const isCounted = progress !== null && progress.total > 0 && shownStage !== "queued";
  const words = stageWords(shownStage, progress);
  return (
    <div className={styles.working}>
      <span className={styles.stage}>
        <span>{words}</span>
        <span className={styles.left}>{etaWords(left)}</span>
      </span>
      {shownStage !== "queued" && (
        <Progress value={isCounted ? progress.done / progress.total : null} label={`${name}: ${words}`} />
      )}
    </div>
  );
}

const TICK_MS = 1000;

/** Follows the counts of one document and tells the seconds left in its stage; counts down between them. */
function useSecondsLeft(stage: string, progress: Document["progress"]): number | null {
  const known = useRef<Track | undefined>(undefined);
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    known.current = progress ? track(known.current, stage, progress.done, Date.now()) : undefined;
    tick();
  }, [stage, progress]);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return secondsLeft(known.current, progress, Date.now());
}
