/** Markdown as a list of blocks whose source text is their identity, so that only the last one changes while streaming. */
import { Lexer, type Token } from "marked";

const OPTIONS = { gfm: true } as const;

/** Source text of each top-level block. Inline text is not looked at here: blocks do that for themselves, once. */
export function splitBlocks(text: string): string[] {
  return new Lexer(OPTIONS)
    .blockTokens(text.replace(/\r\n?/g, "\n"))
    .filter((token) => token.type !== "space" && token.type !== "def")
    .map((token) => token.raw.replace(/\n+$/, ""));
}

/** Tokens of one block, inline tokens included. */
export function lexBlock(raw: string): Token[] {
  return new Lexer(OPTIONS).lex(raw);
}

const PARTIAL_CITATION = /\s*\[\d{0,3}(?:\s*[,;]\s*\d{0,3})*$/;
const PARTIAL_TABLE = /(?:^|\n\n)\|[^\n]*(?:\n[|:\- ]*)?$/; // a header whose rule has not come yet
const OPEN_FENCE = /^(?:```|~~~)/;

/** Makes the end of a text that is still being written readable: no half citation, no open emphasis or code. */
export function settle(text: string): string {
  const cut = text.replace(PARTIAL_CITATION, "").replace(PARTIAL_TABLE, "");
  const lastBlank = cut.lastIndexOf("\n\n");
  const tail = cut.slice(lastBlank + 1).trimStart();
  if (OPEN_FENCE.test(tail) || insideFence(cut)) return cut;
  const closers = [odd(tail, /`/g) && "`", odd(tail.replace(/`[^`]*`?/g, ""), /\*\*/g) && "**"];
  return cut + closers.filter(Boolean).join("");
}

function odd(text: string, what: RegExp): boolean {
  return (text.match(what)?.length ?? 0) % 2 === 1;
}

function insideFence(text: string): boolean {
  return odd(text, /^\s*(?:```|~~~)/gm);
}
