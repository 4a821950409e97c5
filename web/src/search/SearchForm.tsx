import { type FormEvent, useState } from "react";
import { useFolders } from "@/documents/queries";
import { pathWords } from "@/documents/tree";
import { typeWords } from "@/documents/words";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { TextField } from "@/ui/TextField";
import { type Asked, filterCount, SIZES, withoutFilters } from "./asked";
import { ChosenDocuments } from "./ChosenDocuments";
import styles from "./SearchForm.module.css";

const TYPES = [
  "book", "code", "contract", "data", "document", "email", "image", "invoice", "letter", "manual", "minutes",
  "notes", "paper", "policy", "presentation", "report", "resume", "spreadsheet", "web_page",
] as const; // biome-ignore format: a list of words

const LANGUAGES = [
  "ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "hu", "id", "it", "ja", "ko", "nl", "pl",
  "pt", "ro", "ru", "sv", "th", "tr", "zh",
] as const; // biome-ignore format: a list of codes

const OFFICE = "application/vnd.openxmlformats-officedocument.";
const FILES = [
  { value: "application/pdf", label: "PDF" },
  { value: `${OFFICE}wordprocessingml.document`, label: "Word" },
  { value: `${OFFICE}spreadsheetml.sheet`, label: "Excel" },
  { value: `${OFFICE}presentationml.presentation`, label: "PowerPoint" },
  { value: "text/markdown", label: "Markdown" },
  { value: "text/plain", label: "Text" },
  { value: "text/html", label: "Web page" },
  { value: "text/csv", label: "CSV" },
  { value: "message/rfc822", label: "E-mail" },
] as const;

type SearchFormProps = { asked: Asked; onAsk: (asked: Asked) => void; isBusy: boolean };

/** The query, and filters behind one fold; nothing is searched before it is sent. */
export function SearchForm({ asked, onAsk, isBusy }: SearchFormProps) {
  const [draft, setDraft] = useState(asked);
  const count = filterCount(draft);
  const set = (change: Partial<Asked>) => setDraft((known) => ({ ...known, ...change }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAsk({ ...draft, query: draft.query.trim() });
  };
  return (
    <search>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.line}>
          <TextField
            label="What to look for"
            hideLabel
            type="search"
            className={styles.query}
            placeholder="A question, a name, a number or a code"
            value={draft.query}
            maxLength={8000}
            onChange={(event) => set({ query: event.target.value })}
          />
          <Button type="submit" tone="primary" icon="search" busy={isBusy}>
            Search
          </Button>
        </div>
        <details className={styles.filters} open={count > 0 || undefined}>
          <summary>{count > 0 ? `Filters (${count})` : "Filters"}</summary>
          <Filters draft={draft} set={set} />
          {count > 0 && (
            <Button small tone="quiet" icon="close" onClick={() => onAsk(withoutFilters(draft))}>
              Remove all filters
            </Button>
          )}
        </details>
      </form>
    </search>
  );
}

function Filters({ draft, set }: { draft: Asked; set: (change: Partial<Asked>) => void }) {
  const { folders } = useFolders();
  const paths = folders
    .map(({ id }) => ({ value: id, label: pathWords(folders, id) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <div className={styles.grid}>
      <Select
        label="Folder"
        value={draft.folder ?? ""}
        options={[{ value: "", label: "Every folder" }, ...paths]}
        onChange={(folder) => set({ folder: folder || null })}
      />
      <Select
        label="Kind of document"
        value={draft.type ?? ""}
        options={[{ value: "", label: "Any" }, ...TYPES.map((value) => ({ value, label: typeWords(value) }))]}
        onChange={(type) => set({ type: type || null })}
      />
      <Select
        label="File"
        value={draft.file ?? ""}
        options={[{ value: "", label: "Any" }, ...FILES]}
        onChange={(file) => set({ file: file || null })}
      />
      <Select
        label="Language"
        value={draft.language ?? ""}
        options={[{ value: "", label: "Any" }, ...languages()]}
        onChange={(language) => set({ language: language || null })}
      />
      <TextField
        label="Topic"
        value={draft.topic ?? ""}
        maxLength={200}
        onChange={(event) => set({ topic: event.target.value || null })}
      />
      <TextField
        label="From"
        type="date"
        value={draft.since ?? ""}
        onChange={(event) => set({ since: event.target.value || null })}
      />
      <TextField
        label="To"
        type="date"
        value={draft.until ?? ""}
        onChange={(event) => set({ until: event.target.value || null })}
      />
      <Select
        label="Passages"
        value={String(draft.k)}
        options={[...new Set([...SIZES, draft.k])]
          .sort((a, b) => a - b)
          .map((k) => ({ value: String(k), label: String(k) }))}
        onChange={(k) => set({ k: Number(k) })}
      />
      <ChosenDocuments ids={draft.documents} onChange={(documents) => set({ documents })} />
    </div>
  );
}

function languages() {
  const names = new Intl.DisplayNames("en", { type: "language" });
  return LANGUAGES.map((value) => ({ value, label: names.of(value) ?? value })).sort((a, b) =>
    a.label.localeCompare(b.label),
  );
}
