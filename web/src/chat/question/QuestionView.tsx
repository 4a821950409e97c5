import { lazy, Suspense } from "react";
import { IconButton } from "@/ui/IconButton";
import { LazyMenu } from "@/ui/LazyMenu";
import { useActions } from "../actions";
import { Branches } from "../Branches";
import { useCopy } from "../copy";
import type { Question } from "../turns";
import styles from "./QuestionView.module.css";

const EditQuestion = lazy(() => import("./EditQuestion"));
const LONG = 160; // characters; a longer question is set as text, not as a heading

/** A question, with what can be done with it; or the field in which it is changed. */
export function QuestionView({ question }: { question: Question }) {
  const actions = useActions();
  const heading = (
    <h2 className={question.text.length > LONG ? styles.long : styles.question}>{question.text}</h2>
  );
  if (actions && question.id !== null && actions.editing === question.id) {
    return (
      <div className={styles.head}>
        <Suspense fallback={heading}>
          <EditQuestion question={question} />
        </Suspense>
      </div>
    );
  }
  return (
    <div className={styles.head}>
      <div className={styles.row}>
        {heading}
        {actions && question.id !== null && <Tools question={question} id={question.id} />}
      </div>
      <div className={styles.branches}>
        <Branches of="Question" siblings={question.siblings} />
      </div>
    </div>
  );
}

function Tools({ question, id }: { question: Question; id: string }) {
  const actions = useActions();
  const [, copy] = useCopy();
  if (!actions) return null;
  return (
    <span className={styles.tools}>
      <span className={styles.edit}>
        <IconButton
          small
          icon="pencil"
          label="Change the question"
          keys="↑"
          disabled={actions.isBusy}
          onClick={() => actions.edit(id)}
        />
      </span>
      <LazyMenu
        label="More for this question"
        items={[
          {
            id: "edit",
            label: "Change and ask again",
            icon: "pencil",
            disabled: actions.isBusy,
            onAction: () => actions.edit(id),
          },
          { id: "copy", label: "Copy the question", icon: "copy", onAction: () => copy(question.text) },
          {
            id: "delete",
            label: "Delete with what follows",
            icon: "trash",
            danger: true,
            disabled: actions.isBusy,
            onAction: () => actions.remove(id, "question"),
          },
        ]}
      />
    </span>
  );
}
