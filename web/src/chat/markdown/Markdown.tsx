import { Fragment, type ReactNode, useMemo } from "react";
import { Block } from "./Block";
import { settle, splitBlocks } from "./blocks";
import type { Marks } from "./context";
import styles from "./Markdown.module.css";

type MarkdownProps = {
  text: string;
  marks: Marks;
  streaming: boolean;
  /** What unfolds beneath a block, if anything. */
  beneath?: (block: number) => ReactNode;
};

/** Markdown as React elements, never as an HTML string. Blocks carry `data-block`, their number. */
export function Markdown({ text, marks, streaming, beneath }: MarkdownProps) {
  const blocks = useMemo(() => splitBlocks(streaming ? settle(text) : text), [text, streaming]);
  return (
    <div className={styles.markdown}>
      {blocks.map((raw, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended
        <Fragment key={index}>
          <div data-block={index}>
            <Block raw={raw} marks={marks} />
          </div>
          {beneath?.(index)}
        </Fragment>
      ))}
    </div>
  );
}
