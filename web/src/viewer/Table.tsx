import { classes } from "@/ui/classes";
import styles from "./BlockSource.module.css";
import { figureColumns, parseTable } from "./blocks";

/** A table from rows of `| a | b |`. */
export function Table({ text, isLit }: { text: string; isLit: boolean }) {
  const table = parseTable(text);
  const figures = figureColumns(table);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, so the keyboard must reach it
    <section className={styles.tableScroll} tabIndex={0} aria-label="Table">
      <table className={classes(styles.table, isLit && styles.litTable)}>
        <thead>
          <Rows rows={table.head} figures={figures} isHead />
        </thead>
        <tbody>
          <Rows rows={table.body} figures={figures} />
        </tbody>
      </table>
    </section>
  );
}

type RowsProps = { rows: string[][]; figures: boolean[]; isHead?: boolean };

function Rows({ rows, figures, isHead }: RowsProps) {
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows of a text that never changes
    <tr key={index}>
      {row.map((cell, column) => {
        const key = column; // cells of a text that never changes
        const className = classes(figures[column] && styles.figure);
        return isHead ? (
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
