/** Sentences and short forms that several parts of the chat share. */
import type { Grounding, GroundingState, Message, Source } from "@/api/types";

export const GROUNDING: Record<GroundingState, string> = {
  grounded: "Grounded in your documents",
  partly: "Partly grounded",
  general: "Not from your documents",
  none: "No evidence found",
};

export type Mark = GroundingState | "crisis" | "declined";

export const MARKS: Record<Mark, string> = {
  ...GROUNDING,
  crisis: "People who can help",
  declined: "Not answered here",
};

/** What the mark of an answer says: how it is grounded, or that it is no answer from documents at all. */
export function markOf({ state, reasons }: Grounding, kind: Message["kind"]): Mark {
  const apart = (["crisis", "declined"] as const).find((one) => kind === one || reasons.includes(one));
  return apart ?? state;
}

const CLAIM_NOTHING = ["small_talk", "send", "list"]; // greetings, files handed over, lists of files

/** Whether an answer says nothing that could rest on documents: then it has no grounding to speak of. */
export function claimsNothing({ reasons }: Grounding): boolean {
  return reasons.some((reason) => CLAIM_NOTHING.includes(reason));
}

/** A page of the web: it has an address, and nothing here to open. */
export function isWeb(source: Pick<Source, "url" | "document_id">): boolean {
  return source.document_id === null && Boolean(source.url);
}

export function pageOf(source: Pick<Source, "page_start" | "page_end">): string | null {
  if (source.page_start === null) return null;
  const range = source.page_end !== null && source.page_end !== source.page_start;
  return range ? `pp. ${source.page_start}–${source.page_end}` : `p. ${source.page_start}`;
}

/** The page, or else the heading a passage stands under. */
export function placeOf(source: Source): string | null {
  return pageOf(source) ?? source.heading_path.at(-1) ?? null;
}

export function seconds(ms: number): string {
  if (ms < 50) return "under 0.1 s";
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A passage without the heading that it begins with: a note has few words to show what it says. */
export function withoutHeading(text: string, { heading_path }: Pick<Source, "heading_path">): string {
  const heading = heading_path.at(-1);
  if (!heading || !text.startsWith(heading)) return text;
  return text.slice(heading.length).trimStart() || text;
}

const OPENING = 120;

/** The first words of a passage, cut between words. */
export function firstWords(text: string, length = OPENING): string {
  const flat = untable(text).replace(/\s+/g, " ").trim();
  if (flat.length <= length) return flat;
  const cut = flat.slice(0, length);
  const space = cut.lastIndexOf(" ");
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[,;:.–-]+$/, "")}…`;
}

/** Rows of a table as words: cells parted by dots, empty and repeated ones left out. */
function untable(text: string): string {
  return text.replace(/^\s*\|.*$/gm, (row) => {
    const cells = row.split("|").map((cell) => cell.trim());
    return cells.filter((cell, index) => /[^\s:-]/.test(cell) && cell !== cells[index - 1]).join(" · ");
  });
}
