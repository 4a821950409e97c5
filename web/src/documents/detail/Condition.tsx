import type { Document } from "@/api/types";
import { Button } from "@/ui/Button";
import { useRun } from "../queries";
import { Working } from "../StateCell";
import { problemOf, statusWords } from "../words";
import styles from "./Condition.module.css";

/** Where another attempt may end better: also once an administrator has switched text recognition on. */
const RETRIED = ["failed", "cancelled", "needs_ocr"];

/** What a document that is not ready is doing, or what is wrong with it and what to do. */
export function Condition({ document, onDelete }: { document: Document; onDelete: () => void }) {
  const retry = useRun("retry");
  const cancel = useRun("cancel");
  const { tone, label } = statusWords(document.status);
  if (tone === "ready") return null;
  if (tone === "busy") {
    return (
      <div className={styles.condition}>
        <Working document={document} />
        <Button small icon="stop" busy={cancel.isPending} onClick={() => cancel.mutate(document.id)}>
          Stop
        </Button>
      </div>
    );
  }
  const problem = problemOf(document);
  return (
    <div className={styles.condition} data-tone={tone}>
      <h2 className={styles.label}>{label}</h2>
      {problem && (
        <p>
          {problem.reason} {problem.hint}
        </p>
      )}
      <div className={styles.actions}>
        {RETRIED.includes(document.status) && (
          <Button small icon="retry" busy={retry.isPending} onClick={() => retry.mutate(document.id)}>
            Try again
          </Button>
        )}
        {document.status !== "partial" && (
          <Button small onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
    </div>
  );
}
