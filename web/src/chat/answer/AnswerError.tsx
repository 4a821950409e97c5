import { Link } from "wouter";
import { Button } from "@/ui/Button";
import type { RunError } from "../run";
import styles from "./AnswerError.module.css";

type AnswerErrorProps = { error: RunError; isAdmin: boolean; onRetry: (() => void) | null };

/** Codes that the settings page can mend. */
const ABOUT_THE_MODEL = /model|provider|endpoint|key/;

/** What went wrong, and the way out of it. */
export function AnswerError({ error, isAdmin, onRetry }: AnswerErrorProps) {
  return (
    <div className={styles.error} role="alert">
      <p>{error.message}</p>
      <div className={styles.actions}>
        {onRetry && (
          <Button small icon="retry" onClick={onRetry}>
            Ask again
          </Button>
        )}
        {isAdmin && ABOUT_THE_MODEL.test(error.code) && (
          <Link href="/settings" className={styles.link}>
            Open the model settings
          </Link>
        )}
      </div>
    </div>
  );
}
