/** Shapes the blocks of a document without pages into what a reader sees: lists, tables, marked text. */
import type { DocumentPage, Passage } from "@/api/types";
import { type ItemRange, matchPassage } from "./match";

export type SourceBlock = DocumentPage["blocks"][number];

export type Piece =
  | { type: "list"; key: number; blocks: SourceBlock[] }
  | { type: "block"; key: number; block: SourceBlock };

/** A block that this reader may not see: it has a place and no words. */
const isHidden = (block: SourceBlock) => block.kind === "hidden";

/** Neighbouring list items become one list, neighbouring gaps one gap. */
export function groupBlocks(blocks: readonly SourceBlock[]): Piece[] {
  const pieces: Piece[] = [];
  for (const block of blocks) {
    const last = pieces.at(-1);
    if (block.kind === "list_item" && last?.type === "list") last.blocks.push(block);
    else if (block.kind === "list_item") pieces.push({ type: "list", key: block.ordinal, blocks: [block] });
    else if (!(isHidden(block) && last?.type === "block" && isHidden(last.block)))
      pieces.push({ type: "block", key: block.ordinal, block });
  }
  return pieces;
}

export interface Table {
  head: string[][];
  body: string[][];
}

const RULE = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;

function cells(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Rows of `| a | b |`; those above a rule of dashes are the head, without a rule the first one is. */
export function parseTable(text: string): Table {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rule = lines.findIndex((line) => RULE.test(line) && line.includes("-"));
  const rows = lines.filter((_, index) => index !== rule).map(cells);
  const headRows = rule > 0 ? rule : Math.min(1, rows.length);
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const even = rows.map((row) => [...row, ...new Array<string>(columns - row.length).fill("")]);
  return { head: even.slice(0, headRows), body: even.slice(headRows) };
}

/** Paragraphs and tables of a passage's text, in order. */
export function partsOf(text: string): { key: number; text: string; isTable: boolean }[] {
  return text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part, key) => ({
      key,
      text: part,
      isTable: part.split("\n").every((line) => line.trim().startsWith("|")),
    }));
}

/** A passage in a few words: no bars and rules of tables, no empty lines. */
export function excerpt(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !(RULE.test(line) && line.includes("-")))
    .map((line) => (line.trim().startsWith("|") ? cells(line).filter(Boolean).join(" · ") : line.trim()))
    .join("\n");
}

/** Whether a cell reads as a figure, so that columns of figures align at their end. */
export function isFigure(cell: string): boolean {
  return /^[(\-–−+$€£¥]*\s?[$€£¥]?\s?\d[\d.,\s]*\)?\s?%?$/.test(cell) || /^[-–—]$/.test(cell);
}

/** Columns whose cells are mostly figures; their heads align with them. */
export function figureColumns({ head, body }: Table): boolean[] {
  const columns = head[0]?.length ?? body[0]?.length ?? 0;
  return Array.from({ length: columns }, (_, column) => {
    const filled = body.map((row) => row[column] ?? "").filter((cell) => cell !== "");
    return filled.length > 0 && filled.filter(isFigure).length > filled.length / 2;
  });
}

/** Rows (without the rule, head first) that the ranges cover; all of them where there is nothing to tell. */
export function markedRows(text: string, ranges: readonly ItemRange[] | null): boolean[] {
  let at = 0;
  const rows: boolean[] = [];
  for (const line of text.split("\n")) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    if (line.trim() === "" || (RULE.test(line) && line.includes("-"))) continue;
    const covered = (ranges ?? []).reduce(
      (sum, range) => sum + Math.max(0, Math.min(end, range.end) - Math.max(start, range.start)),
      0,
    );
    rows.push(covered > line.length / 2);
  }
  return rows.includes(true) ? rows : rows.map(() => true);
}

/**
 * The blocks to show, and those of them that hold the passage. A long block may be hidden for words beyond the
 * passage: the passage's own words, which the reader was shown, then stand where its blocks would.
 */
export function placePassage(
  blocks: readonly SourceBlock[],
  { block_start: start, block_end: end, text }: Pick<Passage, "block_start" | "block_end" | "text">,
): { shown: readonly SourceBlock[]; own: readonly SourceBlock[] } {
  if (start === null || end === null) return { shown: blocks, own: [] };
  const own = blocks.filter((block) => block.ordinal >= start && block.ordinal <= end);
  if (!own.some(isHidden)) return { shown: blocks, own };
  const words = partsOf(text).map((part) => ({
    ordinal: -1 - part.key, // no block's
    kind: part.isTable ? "table" : "paragraph",
    text: part.text,
    level: 0,
    bbox: null,
  }));
  const before = blocks.filter((block) => block.ordinal < start);
  const after = blocks.filter((block) => block.ordinal > end);
  const gaps = [own.slice(0, 1), own.slice(1).slice(-1)].map((edge) => edge.filter(isHidden));
  return { shown: [...before, ...(gaps[0] ?? []), ...words, ...(gaps[1] ?? []), ...after], own: words };
}

export interface TextSpan {
  text: string;
  marked: boolean;
}

/** The passage's ranges per block ordinal; null where the whole block should be marked. */
export function markBlocks(blocks: readonly SourceBlock[], passage: string): Map<number, ItemRange[] | null> {
  const ranges = matchPassage(
    blocks.map((block) => block.text),
    passage,
  );
  return new Map(
    blocks.map((block, index) => [block.ordinal, ranges?.filter((range) => range.item === index) ?? null]),
  );
}

/** Cuts a text at its ranges; small unmarked gaps of spaces and signs inside a passage stay marked. */
export function spansOf(text: string, ranges: readonly ItemRange[] | null): TextSpan[] {
  if (ranges === null) return [{ text, marked: true }];
  const spans: TextSpan[] = [];
  let at = 0;
  const push = (end: number, marked: boolean) => {
    if (end > at) spans.push({ text: text.slice(at, end), marked });
    at = Math.max(at, end);
  };
  for (const range of ranges) {
    push(range.start, false);
    push(range.end, true);
  }
  const closing = /^[^\p{L}\p{N}\s]{1,3}/u.exec(text.slice(at));
  const last = spans.at(-1);
  if (closing && last?.marked) {
    last.text += closing[0];
    at += closing[0].length;
  }
  push(text.length, false);
  return spans;
}
