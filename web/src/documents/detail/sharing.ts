/** Who sees a document, in words: now, why, and after a change. */
import type { Access } from "@/api/types";
import { count } from "../words";

/** Where the focus goes once a change is made, as the form begins anew. */
export const NOW_ID = "seen-now";

export type Visibility = "private" | "shared" | "workspace" | "public";

type Choice = { value: Visibility; label: string; help: string };

/** From the fewest people to the most. */
export const CHOICES: readonly Choice[] = [
  { value: "private", label: "Only me", help: "Answers for other people never draw on it." },
  {
    value: "shared",
    label: "People I choose",
    help: "They find it, open it and get answers from it. Nobody else knows that it is here.",
  },
  {
    value: "workspace",
    label: "Everyone here",
    help: "All members of this workspace, also those who join later.",
  },
  {
    value: "public",
    label: "Anyone",
    help: "Members, and guests without an account where the settings let them ask.",
  },
];

export type Draft = { visibility: Visibility; people: readonly string[] };

/** What is to be changed: an action in words, or why it cannot be done yet; null where nothing differs. */
export function pending(
  now: Draft,
  draft: Draft,
): { label: string; done: string; problem: string | null } | null {
  const { visibility, people } = draft;
  if (visibility !== "shared") {
    return visibility === now.visibility ? null : { ...ACTIONS[visibility], problem: null };
  }
  if (now.visibility === "shared" && sameOnes(now.people, people)) return null;
  const who = count(people.length, "person", "people");
  if (people.length === 0) {
    return { label: "Show it to nobody yet", done: "", problem: "Choose somebody first." };
  }
  return {
    label: `Show it to ${who} only`,
    done: `From now on ${who} and you see it, nobody else.`,
    problem: null,
  };
}

const ACTIONS: Record<Exclude<Visibility, "shared">, { label: string; done: string }> = {
  private: { label: "Make it mine alone", done: "From now on only you see it." },
  workspace: { label: "Show it to everyone here", done: "From now on everyone here sees it." },
  public: { label: "Show it to anyone", done: "From now on anyone sees it, guests as well." },
};

function sameOnes(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}

/** "You and 2 people whom you chose": who sees it now, in one sentence. */
export function nowWords({ own, visibility, people, owner }: Access): string {
  const others = people.length - 1;
  if (visibility === "workspace") return `Everyone here: ${count(people.length, "person", "people")}.`;
  if (visibility === "public") {
    return `Anyone: ${count(people.length, "person", "people")} here, and guests without an account where the settings let them ask.`;
  }
  if (!own) return `${owner.name || "Its owner"} chose you to see it.`;
  if (visibility !== "shared" || others === 0) return "Only you.";
  return `You and ${count(others, "person", "people")} whom you chose.`;
}

/** Why one person sees it. */
export function whyWords(why: string): string {
  return WHY[why] ?? why;
}

const WHY: Record<string, string> = {
  owner: "owns it",
  shared: "was chosen",
  workspace: "is a member here",
  public: "as anyone does",
};

export type Use = "evidence" | "style";

export const USES: readonly { value: Use; label: string; help: string }[] = [
  { value: "evidence", label: "Evidence", help: "Answers rest on it and cite it." },
  {
    value: "style",
    label: "Style sample",
    help: "Answers are written as it is, in tone and form. It is never cited and nothing is taken from it.",
  },
];

export const TRUSTS: readonly { value: number; label: string; help: string }[] = [
  { value: -1, label: "In doubt", help: "A draft or an old version: left out for all but you." },
  { value: 0, label: "As usual", help: "Used for everybody who may see it." },
  {
    value: 1,
    label: "Approved",
    help: "Also used for audiences that are answered from approved documents only.",
  },
];
