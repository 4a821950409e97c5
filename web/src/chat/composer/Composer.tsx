import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Me } from "@/api/types";
import { COMPOSER_ID } from "@/app/hotkeys";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import type { Attachment } from "./attachments";
import styles from "./Composer.module.css";
import { useDraft } from "./draft";
import { FileChips } from "./FileChips";
import { WaitingQuestion } from "./WaitingQuestion";

export type ComposerProps = {
  threadId: string | null;
  /** Null for a guest, who adds no files and is not told of models. */
  me: Me | null;
  isAdmin: boolean;
  attachments: readonly Attachment[];
  /** An answer is being written; `onStop` is null until it can be stopped. */
  isRunning: boolean;
  onStop: (() => void) | null;
  onFiles: ((files: Iterable<File>) => void) | null;
  onRemoveFile: (key: number) => void;
  /** Resolves to false when the question could not be sent and must stay here. */
  onSend: (question: string) => Promise<boolean>;
  /** Changes the last question, if there is one. */
  onEditLast: () => void;
};

export function Composer(props: ComposerProps) {
  const { threadId, attachments, isRunning, onStop, onSend, onEditLast } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useDraft(threadId);
  const [isSending, setSending] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const unready = attachments.some((file) => file.state !== "ready");
  const canSend = draft.trim() !== "" && !isRunning && !isSending;

  const send = async () => {
    setWaiting(false);
    setSending(true);
    if (await onSend(draft.trim())) setDraft("");
    setSending(false);
    field.current?.focus();
  };
  const submit = () => {
    if (!canSend) return;
    if (unready) setWaiting(true);
    else void send();
  };
  const latestSend = useRef(send);
  useEffect(() => {
    latestSend.current = send;
  });
  useEffect(() => {
    if (isWaiting && !unready) void latestSend.current();
  }, [isWaiting, unready]);
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus();
  }, []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && onStop) {
      event.preventDefault(); // stops the answer and nothing else
      onStop();
    }
    if (event.key === "ArrowUp" && draft === "" && !isRunning) {
      event.preventDefault();
      onEditLast();
    }
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const onPaste = (event: ClipboardEvent) => {
    const { files } = event.clipboardData;
    if (files.length === 0 || !props.onFiles) return;
    event.preventDefault();
    props.onFiles([...files]);
  };
  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FileChips attachments={attachments} onRemove={props.onRemoveFile} />
      {isWaiting ? (
        <WaitingQuestion
          question={draft}
          attachments={attachments}
          onAsk={() => void send()}
          onBack={() => setWaiting(false)}
        />
      ) : (
        <textarea
          ref={field}
          id={COMPOSER_ID}
          className={styles.field}
          rows={1}
          value={draft}
          aria-label="Your question"
          placeholder={props.me ? "Ask your documents" : "Ask a question"}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
      )}
      <ComposerFoot {...props} canSend={canSend && !isWaiting} isSending={isSending} />
    </form>
  );
}

type FootProps = ComposerProps & { canSend: boolean; isSending: boolean };

function ComposerFoot({ me, isAdmin, isRunning, onStop, onFiles, canSend, isSending }: FootProps) {
  return (
    <div className={styles.foot}>
      {me && onFiles && <AttachButton accepted={me.limits.accepted} onFiles={onFiles} />}
      {me ? <ModelLine me={me} isAdmin={isAdmin} /> : <span className={styles.model} />}
      {isRunning ? (
        <Button className={styles.send} icon="stop" disabled={!onStop} onClick={onStop ?? undefined}>
          Stop
        </Button>
      ) : (
        <Button
          className={styles.send}
          type="submit"
          tone="primary"
          icon="up"
          busy={isSending}
          disabled={!canSend}
        >
          Ask
        </Button>
      )}
    </div>
  );
}

function AttachButton({
  accepted,
  onFiles,
}: {
  accepted: string[];
  onFiles: (files: Iterable<File>) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="attach" label="Add files" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accepted.join(",")}
        data-testid="attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </>
  );
}

/** Who will answer. */
function ModelLine({ me, isAdmin }: { me: Me; isAdmin: boolean }) {
  const { kind, label } = me.models.chat;
  if (kind === "endpoint") return <span className={styles.model}>Answered by {label}</span>;
  return (
    <span className={styles.model}>
      Quotations (no model connected){" "}
      {isAdmin && (
        <Link href="/settings" className={styles.connect}>
          Connect one
        </Link>
      )}
    </span>
  );
}
