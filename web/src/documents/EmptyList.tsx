import { acceptedWords } from "@/api/accepted";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import type { Limits } from "./checks";
import styles from "./EmptyList.module.css";
import { AddFiles } from "./ListHeader";
import type { Filter } from "./queries";
import { bytes, statusWords } from "./words";

type EmptyListProps = {
  filter: Filter;
  place: string;
  limits: Limits;
  onFiles: (files: File[]) => void;
  onPaste: () => void;
  onClear: () => void;
};

export function EmptyList({ filter, place, limits, onFiles, onPaste, onClear }: EmptyListProps) {
  if (filter.q || filter.status) {
    const state = filter.status ? ` in the state “${statusWords(filter.status).label}”` : "";
    return (
      <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Show all of them</Button>}>
        No document {filter.q && `with “${filter.q}” in its name `}is in {place}
        {state}.
      </EmptyState>
    );
  }
  const isFolder = filter.folder_id !== null;
  return (
    <div className={styles.zone}>
      <div className={styles.stack} aria-hidden="true">
        <span />
        <span />
        <span />
      </div>
      <h2 className={styles.title}>{isFolder ? `${place} is empty` : "Drop your documents here"}</h2>
      <p className={styles.words}>
        {isFolder
          ? "Drop files here or move documents into it."
          : "Ibid reads them, and answers questions with the page they come from."}
      </p>
      <div className={styles.actions}>
        <AddFiles limits={limits} onFiles={onFiles} />
        <Button icon="copy" onClick={onPaste}>
          Paste text
        </Button>
      </div>
      <p className={styles.limits}>
        {acceptedWords(limits.accepted)}, up to {bytes(limits.max_upload_bytes)} each
      </p>
    </div>
  );
}
