import styles from "./TableSkeleton.module.css";

const WIDTHS = [48, 62, 35, 54, 41];

/** The shape of the table while it loads. */
export function TableSkeleton() {
  return (
    <div className={styles.rows} role="status" aria-label="Loading the documents">
      {WIDTHS.map((width) => (
        <div key={width} className={styles.row}>
          <span style={{ width: `${width}%` }} />
          <span />
        </div>
      ))}
    </div>
  );
}
