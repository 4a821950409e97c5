/** Audiences, trust and rules in words. */
import type { Rule, RuleTest } from "@/api/types";

export type Audience = Rule["audience"];
export type RuleDraft = Pick<Rule, "audience" | "kind" | "value" | "note">;

export const AUDIENCES: readonly { value: Audience; label: string; from: string }[] = [
  { value: "public", label: "Guests", from: "from guests" },
  { value: "member", label: "Members", from: "from members" },
];

export function audienceWords(audience: string): { label: string; from: string } {
  return AUDIENCES.find(({ value }) => value === audience) ?? { label: audience, from: `from ${audience}` };
}

export const LEAST: readonly { value: string; label: string; help: string }[] = [
  { value: "-1", label: "Any document", help: "Also those that their owners marked as in doubt." },
  { value: "0", label: "All but those in doubt", help: "As usual." },
  {
    value: "1",
    label: "Approved documents only",
    help: "Those that an administrator approved; people still get answers from their own.",
  },
];

export const KINDS: readonly { value: Rule["kind"]; label: string; help: string }[] = [
  {
    value: "name",
    label: "A name",
    help: "Whole words, in capitals or not, with or without accents, however they are joined.",
  },
  { value: "pattern", label: "A pattern", help: "A regular expression as Postgres reads it." },
];

/** "Protects 2 places in this text." */
export function testWords({ pieces }: RuleTest): string {
  const places = pieces.filter((piece) => piece.protected).length;
  if (places === 0) return "Protects nothing in this text.";
  return `Protects ${places === 1 ? "1 place" : `${places} places`} in this text: a passage with it is kept back.`;
}

/** The pieces of a tried text with the place where each begins. */
export function placed({ pieces }: RuleTest): { at: number; text: string; protected: boolean }[] {
  let at = 0;
  return pieces.map((piece) => {
    const begin = at;
    at += piece.text.length;
    return { at: begin, ...piece };
  });
}

/** Whether a search in the settings is about this. */
export function concerns(title: string, help: string, query: string): boolean {
  const text = `${title} ${help}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
