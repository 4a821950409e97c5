import type { ReactNode } from "react";
import styles from "./SourceButton.module.css";

/** The name of a document that opens a passage of it. */
export function SourceButton({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.button} onClick={onOpen}>
      {children}
    </button>
  );
}
