import { Button } from "@/ui/Button";
import type { Attachment } from "./attachments";
import styles from "./WaitingQuestion.module.css";

type WaitingQuestionProps = {
  question: string;
  attachments: readonly Attachment[];
  onAsk: () => void;
  onBack: () => void;
};

/** The question, in sight, until the files it came with can be searched. */
export function WaitingQuestion({ question, attachments, onAsk, onBack }: WaitingQuestionProps) {
  const failed = attachments.filter((file) => file.state === "failed").length;
  const pending = attachments.some((file) => file.state === "uploading" || file.state === "reading");
  const words = pending
    ? "Your question is asked as soon as the files are ready."
    : `${failed === 1 ? "One file" : `${failed} files`} could not be read.`;
  return (
    <div className={styles.waiting}>
      <p className={styles.question}>{question}</p>
      <div className={styles.row}>
        <span className={styles.words} role="status">
          {words}
        </span>
        <Button small tone="quiet" onClick={onBack}>
          Change it
        </Button>
        <Button small onClick={onAsk}>
          {pending ? "Ask now" : "Ask without them"}
        </Button>
      </div>
    </div>
  );
}
