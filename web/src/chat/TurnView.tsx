import { memo } from "react";
import { AnswerView, type AnswerViewProps } from "./answer/AnswerView";
import styles from "./TurnView.module.css";
import type { Turn } from "./turns";

type TurnViewProps = Omit<AnswerViewProps, "answer" | "onRetry"> & {
  turn: Turn;
  /** Asks the question again; null while an answer is being written. */
  onRetry: ((question: string) => void) | null;
};

const LONG = 160; // characters; a longer question is set as text, not as a heading

/** A question and what was answered. */
export const TurnView = memo(function TurnView({ turn, onRetry, ...rest }: TurnViewProps) {
  const { question, answer } = turn;
  return (
    <section className={styles.turn} data-turn="">
      {question && (
        <h2 className={question.length > LONG ? styles.long : styles.question}>
          <span>{question}</span>
        </h2>
      )}
      {answer && (
        <AnswerView
          {...rest}
          answer={answer}
          onRetry={onRetry && question ? () => onRetry(question) : null}
        />
      )}
    </section>
  );
});
