import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { placeOf } from "../words";
import { splitCitations } from "./citations";
import type { Marks } from "./context";
import { safeLink } from "./links";
import styles from "./Markdown.module.css";
import { bindMarks, decodeEntities, type Part, plainText, type Sentence, toSentences } from "./sentences";

/** The inside of a paragraph: sentences that light up with their sources, and the numbers themselves. */
export function Sentences({ tokens, marks }: { tokens: readonly Token[]; marks: Marks }) {
  return toSentences(tokens, marks.known).map((sentence, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sentences are only ever appended
    <SentenceSpan key={index} sentence={sentence} marks={marks} />
  ));
}

function SentenceSpan({ sentence, marks }: { sentence: Sentence; marks: Marks }) {
  const cited = sentence.cites.length > 0;
  const inside = bindMarks(cited ? withoutSpace(sentence.parts) : sentence.parts).map((group, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever appended
    <Fragment key={index}>{renderGroup(group, marks)}</Fragment>
  ));
  if (!cited) return inside;
  const space = /\s$/.test(sentence.text) && sentence.parts.at(-1)?.kind === "text" ? " " : "";
  const doubtful = isUnsupported(sentence, marks);
  return (
    <>
      <span
        className={doubtful ? styles.doubtful : styles.sentence}
        data-cites={sentence.cites.join(" ")}
        title={doubtful ? "Not found in the passage it cites" : undefined}
      >
        {inside}
      </span>
      {space}
    </>
  );
}

/** The space after a sentence is not lit with it. */
function withoutSpace(parts: readonly Part[]): Part[] {
  const last = parts.at(-1);
  return last?.kind === "text" ? parts.with(-1, { ...last, text: last.text.trimEnd() }) : [...parts];
}

function renderGroup(group: readonly Part[], marks: Marks): ReactNode {
  const inside = group.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are only ever appended
    <Fragment key={index}>{renderPart(part, marks)}</Fragment>
  ));
  return group.length > 1 ? <span className={styles.bound}>{inside}</span> : inside;
}

function renderPart(part: Part, marks: Marks): ReactNode {
  if (part.kind === "text") return part.text;
  if (part.kind === "cite") return <Mark n={part.n} marks={marks} />;
  return <Inline token={part.token} marks={marks} />;
}

/** The number of a source. Its answer listens for presses, so that a mark needs no handler of its own. */
function Mark({ n, marks }: { n: number; marks: Marks }) {
  const source = marks.sources.get(n);
  const place = source && placeOf(source);
  const label = source ? `Source ${n}: ${source.name}${place ? `, ${place}` : ""}` : `Source ${n}`;
  return (
    <button type="button" className={styles.mark} data-n={n} data-cites={n} aria-label={label}>
      {n}
    </button>
  );
}

type Children = { tokens?: Token[] };

export function Inline({ token, marks }: { token: Token; marks: Marks }): ReactNode {
  const children = () => <InlineTokens tokens={(token as Children).tokens ?? []} marks={marks} />;
  switch (token.type) {
    case "strong":
      return <strong>{children()}</strong>;
    case "em":
      return <em>{children()}</em>;
    case "del":
      return <del>{children()}</del>;
    case "br":
      return <br />;
    case "codespan":
      return <code className={styles.code}>{decodeEntities((token as Tokens.Codespan).text)}</code>;
    case "link":
      return <Anchor link={token as Tokens.Link}>{children()}</Anchor>;
    case "image": // never fetched: an address in an answer could carry words out  # X13
      return <span className={styles.image}>{(token as Tokens.Image).text || "picture"}</span>;
    case "text":
      return (token as Children).tokens ? children() : <Cited text={plainText(token)} marks={marks} />;
    case "checkbox":
      return <input type="checkbox" checked={(token as Tokens.Checkbox).checked} readOnly disabled />;
    default: // escapes, and raw HTML as the text it is
      return "raw" in token && token.type === "html" ? token.raw : plainText(token);
  }
}

export function InlineTokens({ tokens, marks }: { tokens: readonly Token[]; marks: Marks }) {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens are only ever appended
    <Inline key={index} token={token} marks={marks} />
  ));
}

function Cited({ text, marks }: { text: string; marks: Marks }) {
  return splitCitations(text, marks.known).map((piece, index) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only ever appended
      <Mark key={index} n={piece.n} marks={marks} />
    ),
  );
}

function Anchor({ link, children }: { link: Tokens.Link; children: ReactNode }) {
  const href = safeLink(link.href);
  if (!href) return children;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

const normal = (text: string) =>
  text
    .replace(/\[[\d,;\s]+\]/g, "")
    .replace(/[\s*_`.]+/g, " ")
    .trim()
    .toLowerCase();

const SHORTEST = 20; // characters; server and page may cut sentences apart differently, but not by less

function isUnsupported(sentence: Sentence, marks: Marks): boolean {
  if (marks.unsupported.length === 0) return false;
  const text = normal(sentence.text);
  if (text.length < SHORTEST) return marks.unsupported.some((one) => normal(one) === text);
  return marks.unsupported
    .map(normal)
    .some((one) => one.includes(text) || (one.length >= SHORTEST && text.includes(one)));
}
