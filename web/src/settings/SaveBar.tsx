import { sentence } from "@/api/client";
import type { SettingField } from "@/api/types";
import { count } from "@/documents/words";
import { Button } from "@/ui/Button";
import { changeWords, type Draft } from "./diff";
import styles from "./SaveBar.module.css";

type SaveBarProps = {
  changed: readonly SettingField[];
  draft: Draft;
  isBusy: boolean;
  error: Error | null;
  onDiscard: () => void;
};

/** Stays in sight while something is unsaved, and says what. */
export function SaveBar({ changed, draft, isBusy, error, onDiscard }: SaveBarProps) {
  if (changed.length === 0) return null;
  return (
    <div className={styles.holder}>
      <section className={styles.bar} aria-label="Unsaved changes">
        <div className={styles.words}>
          {error ? (
            <p role="alert" className={styles.error}>
              {refusalWords(error)}
            </p>
          ) : (
            <p className={styles.count}>{count(changed.length, "change")} not saved yet</p>
          )}
          <ul className={styles.list}>
            {changed.map((field) => (
              <li key={field.name}>{changeWords(field, draft)}</li>
            ))}
          </ul>
        </div>
        <div className={styles.actions}>
          <Button tone="quiet" onClick={onDiscard}>
            Discard
          </Button>
          <Button tone="primary" type="submit" busy={isBusy}>
            Save
          </Button>
        </div>
      </section>
    </div>
  );
}

/** The server's sentence, led by what it means for the changes unless it says so itself. */
function refusalWords(error: Error): string {
  const words = sentence(error);
  return words.startsWith("Nothing was saved") ? words : `Nothing was saved. ${words}`;
}
