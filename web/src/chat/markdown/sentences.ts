/** Groups the inline tokens of a paragraph into sentences, each with the sources it cites. */
import type { Token, Tokens } from "marked";
import { splitCitations } from "./citations";

export type Part =
  | { kind: "text"; text: string }
  | { kind: "cite"; n: number }
  | { kind: "token"; token: Token };
export type Sentence = { parts: Part[]; cites: number[]; text: string };

// An end mark, closing quotes, space, and then something a sentence may begin with; CJK needs no space.
const END = /(?:[.!?…]["'”’)\]]*\s+(?=["'“‘([]*[\p{Lu}\p{Lo}\p{N}])|[。！？]["'”’」』）]*)/gu;
const ABBREVIATION =
  /(?:^|\s|\()(?:e\.g|i\.e|cf|vs|no|nos|p|pp|fig|figs|dr|mr|mrs|ms|st|inc|ltd|co|approx|est|\p{L})\.\s+$/iu;

export function toSentences(tokens: readonly Token[], known: ReadonlySet<number>): Sentence[] {
  const sentences: Sentence[] = [];
  let current: Sentence = { parts: [], cites: [], text: "" };
  const close = () => {
    if (current.parts.length) sentences.push(current);
    current = { parts: [], cites: [], text: "" };
  };
  for (const part of tokens.flatMap((token) => toParts(token, known))) {
    if (part.kind === "text") {
      if (isClosed(current) && /^\s/.test(part.text)) close();
      const pieces = splitSentences(part.text);
      pieces.forEach((text, index) => {
        if (text) add(current, { kind: "text", text });
        if (index < pieces.length - 1) close();
      });
    } else if (part.kind === "cite" && current.text.trim() === "" && sentences.length > 0) {
      add(sentences[sentences.length - 1] as Sentence, part); // "It rose. [1]" cites the sentence before
    } else {
      add(current, part, known);
    }
  }
  close();
  return sentences;
}

/** Whether a sentence has its end mark and the citations after it: "It rose. [1]". */
function isClosed(sentence: Sentence): boolean {
  return sentence.parts.at(-1)?.kind === "cite" && /[.!?…。！？]["'”’)\]]*$/.test(sentence.text);
}

function toParts(token: Token, known: ReadonlySet<number>): Part[] {
  if (token.type !== "text" || (token as Tokens.Text).tokens) return [{ kind: "token", token }];
  return splitCitations(decodeEntities((token as Tokens.Text).text), known);
}

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  apos: "'",
  nbsp: " ",
};

/** The text as written: marked leaves entities alone, and React escapes by itself. */
export function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|apos|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

function add(sentence: Sentence, part: Part, known: ReadonlySet<number> = new Set()) {
  sentence.parts.push(part);
  if (part.kind === "cite") cite(sentence, part.n);
  else if (part.kind === "text") sentence.text += part.text;
  else {
    const text = plainText(part.token);
    sentence.text += text;
    if (part.token.type !== "codespan") {
      for (const piece of splitCitations(text, known)) if (piece.kind === "cite") cite(sentence, piece.n);
    }
  }
}

function cite(sentence: Sentence, n: number) {
  if (!sentence.cites.includes(n)) sentence.cites.push(n);
}

export function plainText(token: Token): string {
  if ("tokens" in token && token.tokens) return token.tokens.map(plainText).join("");
  return "text" in token && typeof token.text === "string" ? decodeEntities(token.text) : "";
}

export function splitSentences(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const match of text.matchAll(END)) {
    const end = match.index + match[0].length;
    if (ABBREVIATION.test(text.slice(from, end))) continue;
    pieces.push(text.slice(from, end));
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces;
}

const LONGEST_BOUND = 24; // characters; a longer "word" (an address, CJK text) may break

/** Groups each run of citations with the word before it, so that a number never begins a line. */
export function bindMarks(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    const word = last?.at(-1);
    if (part.kind === "cite" && last && word && word.kind !== "token") {
      if (word.kind === "cite") last.push(part);
      else groups.splice(-1, 1, ...bindWord(word.text, part));
    } else groups.push([part]);
  }
  return groups;
}

function bindWord(text: string, mark: Part): Part[][] {
  const cut = text.search(/\S+$/);
  if (cut < 0 || text.length - cut > LONGEST_BOUND) return [[{ kind: "text", text }], [mark]];
  const bound: Part[] = [{ kind: "text", text: text.slice(cut) }, mark];
  return cut === 0 ? [bound] : [[{ kind: "text", text: text.slice(0, cut) }], bound];
}
