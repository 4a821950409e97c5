import { Icon } from "@/ui/Icon";
import styles from "./Thinking.module.css";

/** What the model thought before it answered: apart from the answer, folded unless it is all there is yet. */
export function Thinking({ text, isCurrent }: { text: string; isCurrent: boolean }) {
  if (!text) return null;
  return (
    <details className={styles.thinking} open={isCurrent || undefined}>
      <summary className={styles.line}>
        {isCurrent ? "Thinking…" : "What the model thought"}
        <Icon name="chevron" size={15} />
      </summary>
      <div className={styles.words}>{text}</div>
    </details>
  );
}
