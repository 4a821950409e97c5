import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { acceptedWords } from "@/api/accepted";
import { api, query } from "@/api/client";
import { keys } from "@/api/keys";
import type { DocumentList, Me } from "@/api/types";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import styles from "./ChatEmpty.module.css";

type ChatEmptyProps = {
  me: Me | null;
  onFiles: (files: Iterable<File>) => void;
  onAsk: (question: string) => void;
};

/** The first thing one sees: what this is, and either a place for files or questions made from them. */
export function ChatEmpty({ me, onFiles, onAsk }: ChatEmptyProps) {
  const documents = useQuery({
    queryKey: keys.documentList({ limit: 1 }),
    queryFn: () => api.get<DocumentList>(`/api/documents${query({ limit: 1 })}`),
    enabled: me !== null,
  });
  const isEmpty = documents.data?.items.length === 0;
  return (
    <div className={styles.empty}>
      <h1 className={styles.title}>
        Ask {me ? "your" : "these"} documents. Every answer{" "}
        <span className={styles.lit}>shows where it comes from.</span>
      </h1>
      {me && isEmpty && <DropZone me={me} onFiles={onFiles} />}
      {(!me || (documents.data && !isEmpty)) && <Suggestions onAsk={onAsk} />}
    </div>
  );
}

function DropZone({ me, onFiles }: { me: Me; onFiles: ChatEmptyProps["onFiles"] }) {
  const input = useRef<HTMLInputElement>(null);
  const megabytes = Math.round(me.limits.max_upload_bytes / 1024 / 1024);
  return (
    <div className={styles.zone}>
      <Icon name="upload" size={24} />
      <div>
        <p className={styles.lead}>Drop a file here to begin</p>
        <p className={styles.help}>
          {acceptedWords(me.limits.accepted)}, up to {megabytes} MB each. They stay on this machine.
        </p>
      </div>
      <Button tone="plain" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={me.limits.accepted.join(",")}
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
      />
    </div>
  );
}

function Suggestions({ onAsk }: { onAsk: (question: string) => void }) {
  const suggestions = useQuery({
    queryKey: keys.suggestions,
    queryFn: () => api.get<{ questions: string[] }>("/api/suggestions"),
  });
  const questions = suggestions.data?.questions ?? [];
  if (questions.length === 0) return null;
  return (
    <section className={styles.suggestions} aria-label="Questions to begin with">
      {questions.map((question) => (
        <button key={question} type="button" className={styles.suggestion} onClick={() => onAsk(question)}>
          <span>{question}</span>
          <Icon name="right" size={16} />
        </button>
      ))}
    </section>
  );
}
