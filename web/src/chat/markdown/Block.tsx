import type { Token, Tokens } from "marked";
import { createElement, memo, type ReactNode, useMemo } from "react";
import { lexBlock } from "./blocks";
import { CodeBlock } from "./CodeBlock";
import type { Marks } from "./context";
import { Sentences } from "./Inline";
import styles from "./Markdown.module.css";

/** One block of Markdown, drawn again only when its own text or the sources change. */
export const Block = memo(function Block({ raw, marks }: { raw: string; marks: Marks }) {
  const tokens = useMemo(() => lexBlock(raw), [raw]);
  return <BlockTokens tokens={tokens} marks={marks} />;
});

function BlockTokens({ tokens, marks }: { tokens: readonly Token[]; marks: Marks }) {
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: tokens are only ever appended
    <BlockToken key={index} token={token} marks={marks} />
  ));
}

function BlockToken({ token, marks }: { token: Token; marks: Marks }): ReactNode {
  switch (token.type) {
    case "paragraph":
      return (
        <p>
          <Sentences tokens={(token as Tokens.Paragraph).tokens} marks={marks} />
        </p>
      );
    case "heading":
      return <Heading heading={token as Tokens.Heading} marks={marks} />;
    case "list":
      return <List list={token as Tokens.List} marks={marks} />;
    case "blockquote":
      return (
        <blockquote>
          <BlockTokens tokens={(token as Tokens.Blockquote).tokens} marks={marks} />
        </blockquote>
      );
    case "code":
      return <CodeBlock text={(token as Tokens.Code).text} language={(token as Tokens.Code).lang} />;
    case "table":
      return <Table table={token as Tokens.Table} marks={marks} />;
    case "hr":
      return <hr />;
    case "text": // the words of a list item that is not spaced out
      return <Sentences tokens={(token as Tokens.Text).tokens ?? [token]} marks={marks} />;
    case "html":
      return <p>{(token as Tokens.HTML).raw.trim()}</p>;
    case "checkbox":
      return <input type="checkbox" checked={(token as Tokens.Checkbox).checked} readOnly disabled />;
    default:
      return null;
  }
}

/** Headings of an answer start below those of the page. */
function Heading({ heading, marks }: { heading: Tokens.Heading; marks: Marks }) {
  const level = Math.min(6, Math.max(3, heading.depth + 1));
  return createElement(`h${level}`, null, <Sentences tokens={heading.tokens} marks={marks} />);
}

function List({ list, marks }: { list: Tokens.List; marks: Marks }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items are only ever appended
    <li key={index} className={item.task ? styles.task : undefined}>
      <BlockTokens tokens={item.tokens} marks={marks} />
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={list.start === "" ? undefined : list.start}>{items}</ol>;
}

function Table({ table, marks }: { table: Tokens.Table; marks: Marks }) {
  const cell = (Tag: "th" | "td", { tokens, align }: Tokens.TableCell, index: number) => (
    <Tag
      key={index}
      style={align ? { textAlign: align } : undefined}
      scope={Tag === "th" ? "col" : undefined}
    >
      <Sentences tokens={tokens} marks={marks} />
    </Tag>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the column is scrolled by keyboard too
    <section className={styles.table} tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>{table.header.map((header, index) => cell("th", header, index))}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever appended
            <tr key={index}>{row.map((data, column) => cell("td", data, column))}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
