import { useId } from "react";
import type { SettingField, SettingValue } from "@/api/types";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Select } from "@/ui/Select";
import { Switch } from "@/ui/Switch";
import { TextField } from "@/ui/TextField";
import { type Draft, differs, shown, valueWords } from "./diff";
import styles from "./Field.module.css";
import { useSuggestions } from "./useSuggestions";

type FieldProps = {
  field: SettingField;
  draft: Draft;
  error: string | null;
  onChange: (field: SettingField, value: SettingValue) => void;
};

/** One setting: its control, its sentence, and beside it whether it is the default and the way back to it. */
export function Field({ field, draft, error, onChange }: FieldProps) {
  return (
    <div className={styles.row} data-edited={field.name in draft || undefined}>
      <Control field={field} draft={draft} error={error} onChange={onChange} />
      <Mark
        field={field}
        draft={draft}
        onReset={() => onChange(field, null)}
        onUndo={() => onChange(field, stored(field))}
      />
    </div>
  );
}

/** The value that takes an edit back. */
function stored(field: SettingField): SettingValue {
  return field.kind === "secret" ? "" : field.value;
}

function Control({ field, draft, error, onChange }: FieldProps) {
  const value = shown(draft, field);
  switch (field.kind) {
    case "boolean":
      return (
        <Switch
          label={field.label}
          help={field.help}
          checked={value === true}
          onChange={(next) => onChange(field, next)}
        />
      );
    case "choice":
      return (
        <Select
          label={field.label}
          help={error ?? field.help}
          options={field.choices ?? []}
          value={String(value ?? "")}
          onChange={(next) => onChange(field, next)}
        />
      );
    default:
      return <TextControl field={field} draft={draft} error={error} onChange={onChange} />;
  }
}

/** A stored secret that nobody can open any more. */
const LOST =
  "The stored key cannot be read: the file that sealed it is gone from the data folder. Enter the key again.";

function TextControl({ field, draft, error, onChange }: FieldProps) {
  const list = useId();
  const suggestions = useSuggestions(field, draft);
  const value = shown(draft, field);
  const isSecret = field.kind === "secret";
  const isNumber = field.kind === "number";
  const isLost = field.lost === true && !(field.name in draft);
  return (
    <>
      <TextField
        label={field.label}
        help={field.help}
        error={error ?? (isLost ? LOST : null)}
        className={classes(isNumber && styles.short)}
        value={value === null ? "" : String(value)}
        type={isSecret ? "password" : "text"}
        inputMode={isNumber ? "decimal" : field.kind === "url" ? "url" : undefined}
        autoComplete={isSecret ? "new-password" : "off"}
        spellCheck={false}
        list={suggestions.length > 0 ? list : undefined}
        placeholder={
          isSecret ? secretWords(field, draft) : (field.placeholder ?? String(field.default ?? ""))
        }
        onChange={(event) => onChange(field, isNumber ? toNumber(event.target.value) : event.target.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}

function secretWords(field: SettingField, draft: Draft): string {
  return field.is_set && draft[field.name] !== null ? "Set. Enter a new one to replace it" : "Not set";
}

/** A number once it is one; until then the text as typed, which the check before saving explains. */
function toNumber(text: string): SettingValue {
  const plain = text.trim();
  return plain !== "" && /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text;
}

type MarkProps = { field: SettingField; draft: Draft; onReset: () => void; onUndo: () => void };

function Mark({ field, draft, onReset, onUndo }: MarkProps) {
  const isSecret = field.kind === "secret";
  if (field.name in draft) {
    const isRemoval = isSecret && draft[field.name] === null;
    return (
      <div className={styles.mark}>
        <span className={styles.edited}>{isRemoval ? "Will be removed" : "Not saved yet"}</span>
        <Button small tone="quiet" aria-label={`Undo the change of ${field.label}`} onClick={onUndo}>
          Undo
        </Button>
      </div>
    );
  }
  if (!differs(draft, field)) return <div className={styles.mark}>{isSecret ? "Not set" : "Default"}</div>;
  return (
    <div className={styles.mark}>
      <span className={styles.changed}>{isSecret ? "Set" : "Changed"}</span>
      <Button
        small
        tone="quiet"
        aria-label={isSecret ? `Remove ${field.label}` : `Reset ${field.label} to its default`}
        onClick={onReset}
      >
        {isSecret
          ? "Remove"
          : field.default === null
            ? "Clear"
            : `Reset to ${valueWords(field, field.default)}`}
      </Button>
    </div>
  );
}
