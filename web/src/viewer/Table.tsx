import { classes } from "@/ui/classes";
import styles from "./BlockSource.module.css";
import { figureColumns, markedRows, parseTable } from "./blocks";
import type { ItemRange } from "./match";

type TableProps = {
  text: string;
  /** What of the text belongs to the passage, null for all of it; left out, nothing does. */
  ranges?: readonly ItemRange[] | null;
};

/** A table from rows of `| a | b |`. */
export function Table({ text, ranges }: TableProps) {
  const { head, body } = parseTable(text);
  const figures = figureColumns({ head, body });
  const marked = ranges === undefined ? [] : markedRows(text, ranges);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, so the keyboard must reach it
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div className={styles.tableScroll} tabIndex={0} role="group" aria-label="Table">
      <table className={styles.table}>
        <thead>
          {/* Figures mean nothing without the head, so it goes with any of its rows. */}
          <Rows rows={head} figures={figures} marked={head.map(() => marked.includes(true))} isHead />
        </thead>
        <tbody>
          <Rows rows={body} figures={figures} marked={marked.slice(head.length)} />
        </tbody>
      </table>
    </div>
  );
}

type RowsProps = { rows: string[][]; figures: boolean[]; marked: boolean[]; isHead?: boolean };

function Rows({ rows, figures, marked, isHead }: RowsProps) {
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text that never changes
    <tr key={index} className={classes(marked[index] && styles.litRow)}>
      {row.map((cell, column) => {
        const key = column; // cells of a text that never changes
        const className = classes(figures[column] && styles.figure);
        return isHead && cell !== "" ? (
          <th key={key} scope="col" className={className}>
            {cell}
          </th>
        ) : (
          <td key={key} className={className}>
            {cell}
          </td>
        );
      })}
    </tr>
  ));
}
