import type { Document } from "@/api/types";
import { Button } from "@/ui/Button";
import type { DocumentDialog } from "./DocumentDialogs";
import styles from "./SelectionBar.module.css";
import { count } from "./words";

type SelectionBarProps = {
  chosen: readonly Document[];
  onClear: () => void;
  onDialog: (dialog: DocumentDialog) => void;
};

/** What can be done with the selected documents; there only while some are. */
export function SelectionBar({ chosen, onClear, onDialog }: SelectionBarProps) {
  return (
    <div role="status" className={styles.holder}>
      {chosen.length > 0 && (
        <div className={styles.bar}>
          <span className={styles.words}>{count(chosen.length, "document")} selected</span>
          <Button small icon="folder" onClick={() => onDialog({ kind: "move", documents: chosen })}>
            Move
          </Button>
          <Button
            small
            tone="danger"
            icon="trash"
            onClick={() => onDialog({ kind: "delete", documents: chosen })}
          >
            Delete
          </Button>
          <Button small tone="quiet" onClick={onClear}>
            Clear
          </Button>
        </div>
      )}
    </div>
  );
}
