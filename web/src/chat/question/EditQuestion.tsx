import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { COMPOSER_ID } from "@/app/hotkeys";
import { Button } from "@/ui/Button";
import { useActions } from "../actions";
import type { Question } from "../turns";
import styles from "./EditQuestion.module.css";

/** A question being changed. Sent, it begins a branch beside the old one. */
export default function EditQuestion({ question }: { question: Question }) {
  const actions = useActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(question.text);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(question.text.length, question.text.length);
    field.current?.scrollIntoView({ block: "nearest" });
  }, [question.text]);
  if (!actions) return null;

  const isReady = text.trim() !== "" && !actions.isBusy;
  const leave = () => {
    actions.edit(null);
    document.getElementById(COMPOSER_ID)?.focus();
  };
  const send = () => isReady && actions.resend(question, text.trim());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        className={styles.field}
        rows={1}
        value={text}
        aria-label="The question in other words"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.row}>
        <span className={styles.words}>The old question and its answer stay, one arrow away.</span>
        <Button small tone="quiet" onClick={leave}>
          Leave it
        </Button>
        <Button small type="submit" tone="primary" icon="up" disabled={!isReady}>
          Ask this
        </Button>
      </div>
    </form>
  );
}
