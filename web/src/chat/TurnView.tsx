import { memo } from "react";
import { Button } from "@/ui/Button";
import { useActions } from "./actions";
import { AnswerView, type AnswerViewProps } from "./answer/AnswerView";
import { QuestionView } from "./question/QuestionView";
import styles from "./TurnView.module.css";
import type { Turn } from "./turns";

type TurnViewProps = Omit<AnswerViewProps, "answer" | "questionId" | "onRetry"> & {
  turn: Turn;
  /** Asks the question again; null while an answer is being written. */
  onRetry: ((question: string) => void) | null;
};

/** A question and what was answered. */
export const TurnView = memo(function TurnView({ turn, onRetry, ...rest }: TurnViewProps) {
  const { question, answer } = turn;
  const actions = useActions();
  const retry = () => {
    if (!question) return;
    if (!actions) onRetry?.(question.text);
    else if (question.id) actions.answerAgain(question.id);
    else actions.resend(question, question.text);
  };
  return (
    <section className={styles.turn} data-turn="">
      {question && <QuestionView question={question} />}
      {question?.id && !answer && actions && (
        <div className={styles.unanswered}>
          <Button small icon="retry" disabled={actions.isBusy} onClick={retry}>
            Answer it
          </Button>
        </div>
      )}
      {answer && (
        <AnswerView
          {...rest}
          answer={answer}
          questionId={question?.id ?? null}
          onRetry={onRetry && question ? retry : null}
        />
      )}
    </section>
  );
});
