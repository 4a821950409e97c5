import { type KeyboardEvent, useId, useState } from "react";
import { sentence } from "@/api/client";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { TextField } from "@/ui/TextField";
import { showToast } from "@/ui/Toast";
import styles from "./Gates.module.css";
import { useAddRule, useRuleTest } from "./queries";
import { AUDIENCES, type Audience, audienceWords, KINDS, placed, type RuleDraft, testWords } from "./words";

const EMPTY: RuleDraft = { audience: "public", kind: "name", value: "", note: "" };

/** Makes a rule. Inside the settings form, so it submits by itself and never with it. */
export function AddRule() {
  const add = useAddRule();
  const [draft, setDraft] = useState(EMPTY);
  const set = (change: Partial<RuleDraft>) => {
    add.reset();
    setDraft((known) => ({ ...known, ...change }));
  };
  const isWhole = draft.value.trim().length > 1;
  const send = () => {
    if (!isWhole || add.isPending) return;
    add.mutate(draft, {
      onSuccess: ({ value, audience }) => {
        showToast({ message: `“${value}” is kept ${audienceWords(audience).from} from now on.` });
        setDraft({ ...draft, value: "", note: "" });
      },
    });
  };
  const onEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    send();
  };
  return (
    <fieldset className={styles.add}>
      <legend className={styles.legend}>Protect something</legend>
      <div className={styles.grid}>
        <Select
          label="What"
          options={KINDS}
          value={draft.kind}
          onChange={(kind) => set({ kind: kind as RuleDraft["kind"] })}
        />
        <Select
          label="Kept from"
          options={AUDIENCES}
          value={draft.audience}
          onChange={(audience) => set({ audience: audience as Audience })}
        />
        <TextField
          label={draft.kind === "name" ? "Name" : "Pattern"}
          className={draft.kind === "pattern" ? styles.code : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={draft.value}
          error={add.error ? sentence(add.error) : null}
          help={KINDS.find(({ value }) => value === draft.kind)?.help}
          onChange={(event) => set({ value: event.target.value })}
          onKeyDown={onEnter}
        />
        <TextField
          label="Why (for administrators)"
          autoComplete="off"
          maxLength={500}
          value={draft.note}
          onChange={(event) => set({ note: event.target.value })}
          onKeyDown={onEnter}
        />
      </div>
      <Trial draft={draft} />
      <Button className={styles.send} disabled={!isWhole} busy={add.isPending} onClick={send}>
        Protect it
      </Button>
    </fieldset>
  );
}

/** A text to try the rule on; the server's own matching answers. */
function Trial({ draft }: { draft: RuleDraft }) {
  const id = useId();
  const [sample, setSample] = useState("");
  const test = useRuleTest(draft, sample);
  return (
    <div className={styles.trial}>
      <label htmlFor={id} className={styles.label}>
        Try it on a text
      </label>
      <textarea
        id={id}
        className={styles.sample}
        rows={3}
        maxLength={5000}
        placeholder="Paste a sentence that should be kept back, and one that should not"
        value={sample}
        onChange={(event) => setSample(event.target.value)}
      />
      <div className={styles.outcome} role="status">
        {test.data && (
          <>
            <p className={styles.note}>{testWords(test.data)}</p>
            <p className={styles.shown} dir="auto">
              {placed(test.data).map(({ at, text, protected: isProtected }) =>
                isProtected ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
              )}
            </p>
          </>
        )}
        {test.error && <p className={styles.error}>{sentence(test.error)}</p>}
      </div>
    </div>
  );
}
