import { Fragment, type ReactNode } from "react";
import { classes } from "@/ui/classes";
import styles from "./BlockSource.module.css";
import { groupBlocks, type SourceBlock, spansOf } from "./blocks";
import type { ItemRange } from "./match";
import { Table } from "./Table";

/** By block ordinal: its marked ranges, or null to mark it whole. Absent blocks are not part of the passage. */
export type Marks = ReadonlyMap<number, ItemRange[] | null>;

type BlocksProps = { blocks: readonly SourceBlock[]; marks: Marks };

export function Blocks({ blocks, marks }: BlocksProps) {
  return groupBlocks(blocks).map((piece) =>
    piece.type === "list" ? (
      <ul key={piece.key} className={styles.list}>
        {piece.blocks.map((block) => (
          <li
            key={block.ordinal}
            style={{ ["--indent" as string]: `${Math.max(0, block.level - 1) * 1.25}rem` }}
          >
            <Lit block={block} marks={marks}>
              <Words text={block.text} marks={marks} ordinal={block.ordinal} />
            </Lit>
          </li>
        ))}
      </ul>
    ) : (
      <Lit key={piece.key} block={piece.block} marks={marks}>
        <Block block={piece.block} marks={marks} />
      </Lit>
    ),
  );
}

/** The rule in the margin beside a block of the passage. */
function Lit({ block, marks, children }: { block: SourceBlock; marks: Marks; children: ReactNode }) {
  const isLit = marks.has(block.ordinal);
  return (
    <div dir="auto" className={classes(isLit && styles.lit)} data-mark={isLit || undefined}>
      {children}
    </div>
  );
}

function Block({ block, marks }: { block: SourceBlock; marks: Marks }) {
  const words = <Words text={block.text} marks={marks} ordinal={block.ordinal} />;
  switch (block.kind) {
    case "title":
      return <h3 className={styles.title}>{words}</h3>;
    case "heading":
      return <Heading level={block.level}>{words}</Heading>;
    case "table":
      return <Table text={block.text} ranges={marks.get(block.ordinal)} />;
    case "code":
      return (
        <pre className={styles.code}>
          <code>{words}</code>
        </pre>
      );
    case "hidden":
      return <p className={styles.hidden}>A part of this page is not shown.</p>;
    case "caption":
      return <p className={styles.caption}>{words}</p>;
    default:
      return <p className={styles.paragraph}>{words}</p>;
  }
}

/** The pane's own heading is an h2, so a document's first level is an h3 here. */
function Heading({ level, children }: { level: number; children: ReactNode }) {
  if (level <= 1) return <h3 className={styles.h1}>{children}</h3>;
  if (level === 2) return <h4 className={styles.h2}>{children}</h4>;
  return <h5 className={styles.h3}>{children}</h5>;
}

function Words({ text, marks, ordinal }: { text: string; marks: Marks; ordinal: number }) {
  const ranges = marks.get(ordinal);
  if (ranges === undefined) return text;
  let at = 0;
  return spansOf(text, ranges).map((span) => {
    const key = at;
    at += span.text.length;
    return span.marked ? (
      <mark key={key} className={styles.mark}>
        {span.text}
      </mark>
    ) : (
      <Fragment key={key}>{span.text}</Fragment>
    );
  });
}
