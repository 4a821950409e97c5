import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Feedback } from "@/api/types";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import { showToast } from "@/ui/Toast";
import styles from "./FeedbackForm.module.css";
import { has, REASONS, toggled } from "./reasons";

type FeedbackFormProps = {
  feedback: Feedback & { rating: "up" | "down" };
  onSave: (reason: string) => Promise<boolean>;
  onTakeBack: () => void;
  /** Null where the answer cites no document that could be looked for. */
  onGolden: (() => Promise<boolean>) | null;
  onClose: () => void;
};

/** Why an answer was good or bad, in a few words. The rating itself is kept already. */
export default function FeedbackForm({ feedback, onSave, onTakeBack, onGolden, onClose }: FeedbackFormProps) {
  const [reason, setReason] = useState(feedback.reason);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.form?.scrollIntoView({ block: "nearest" });
  }, []);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (await onSave(reason.trim())) onClose();
  };
  const makeGolden = async () => {
    if (!(await onGolden?.())) return;
    onClose();
    showToast({
      message: "Kept as a golden question. The Search page asks all of them and looks for their documents.",
    });
  };
  const title = feedback.rating === "up" ? "What was good about it?" : "What was wrong with it?";
  return (
    <form
      className={styles.form}
      aria-label={title}
      onSubmit={save}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.head}>
        <span className={styles.title}>{title}</span>
        <IconButton small icon="close" label="Close" onClick={onClose} />
      </div>
      <Chips rating={feedback.rating} reason={reason} onChange={setReason} />
      <textarea
        ref={field}
        className={styles.field}
        rows={1}
        maxLength={2000}
        aria-label="Reason"
        placeholder="In your own words, if you like"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className={styles.actions}>
        <Button small type="submit" tone="primary">
          Keep the reason
        </Button>
        {onGolden && (
          <Button small icon="star" onClick={() => void makeGolden()}>
            Make it a golden question
          </Button>
        )}
        <Button small tone="quiet" onClick={onTakeBack}>
          Take the rating back
        </Button>
      </div>
    </form>
  );
}

type ChipsProps = { rating: "up" | "down"; reason: string; onChange: (reason: string) => void };

/** Ready-made reasons, to press instead of writing. */
function Chips({ rating, reason, onChange }: ChipsProps) {
  return (
    <div className={styles.quick}>
      {REASONS[rating].map((one) => (
        <button
          key={one}
          type="button"
          className={styles.chip}
          aria-pressed={has(reason, one)}
          onClick={() => onChange(toggled(reason, one))}
        >
          {one}
        </button>
      ))}
    </div>
  );
}
