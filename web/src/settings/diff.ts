/** What the person changed on the settings page, apart from what the server holds. */

import type { SettingField as Field, SettingValue as Value } from "@/api/types";

/** Edits by field name; null asks for the default (of a secret: to forget it). */
export type Draft = Readonly<Record<string, Value>>;

function same(a: Value, b: Value): boolean {
  return a === b || ((a === "" || a === null) && (b === "" || b === null));
}

/** The draft with one edit; an edit that returns to the stored value is no edit. */
export function edit(draft: Draft, field: Field, value: Value): Draft {
  const { [field.name]: _, ...rest } = draft;
  const isStored = field.kind === "secret" ? value === "" : value !== null && same(value, field.value);
  const isIdleReset = value === null && !(field.kind === "secret" ? field.is_set : field.changed);
  return isStored || isIdleReset ? rest : { ...rest, [field.name]: value };
}

/** The value a field shows: the edit, else what is stored. A secret never shows what is stored. */
export function shown(draft: Draft, field: Field): Value {
  const edited = draft[field.name];
  if (edited === undefined) return field.kind === "secret" ? "" : field.value;
  if (edited === null) return field.kind === "secret" ? "" : field.default;
  return edited;
}

/** Whether saving would leave the field at something other than its default. */
export function differs(draft: Draft, field: Field): boolean {
  const edited = draft[field.name];
  if (edited === null) return false;
  if (field.kind === "secret") return edited !== undefined || field.is_set === true;
  return edited === undefined ? field.changed : !same(edited, field.default);
}

/** The edits that belong to one section. */
export function draftOf(section: { id: string }, draft: Draft): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([name]) => name.startsWith(`${section.id}.`)));
}

/** What is wrong with a draft value, as the server would say, or null. */
export function problem(field: Field, value: Value): string | null {
  if (value === null || value === "") return null;
  if (field.kind === "number") {
    const amount = typeof value === "number" ? value : Number(value);
    if (Number.isNaN(amount)) return "Enter a number.";
    if (typeof field.min === "number" && amount < field.min) return `The least is ${field.min}.`;
    if (typeof field.max === "number" && amount > field.max) return `The most is ${field.max}.`;
  }
  if (field.kind === "url" && !/^https?:\/\/[^\s/]+/i.test(String(value))) {
    return "Enter an address that begins with http:// or https://.";
  }
  return null;
}

/** A value as people say it. */
export function valueWords(field: Field, value: Value): string {
  if (value === null || value === "") return "empty";
  if (field.kind === "boolean") return value ? "on" : "off";
  if (field.kind === "choice")
    return field.choices?.find((one) => one.value === value)?.label ?? String(value);
  return String(value);
}

/** One line for the save bar: "Model: gpt-4o, was empty". Secrets are never spelled out. */
export function changeWords(field: Field, draft: Draft): string {
  const edited = draft[field.name] as Value;
  if (field.kind === "secret") {
    if (edited === null) return `${field.label}: removed`;
    return `${field.label}: ${field.is_set ? "replaced" : "set"}`;
  }
  const to = edited === null ? `${valueWords(field, field.default)} (default)` : valueWords(field, edited);
  return `${field.label}: ${to}, was ${valueWords(field, field.value)}`;
}

/** Whether a field answers a search of some words, by label, help, name or section. */
export function matches(field: Field, section: { title: string; help: string }, query: string): boolean {
  const text = `${field.label} ${field.help} ${field.name} ${section.title} ${section.help}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
