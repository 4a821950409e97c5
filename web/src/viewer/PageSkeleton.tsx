import styles from "./PageSkeleton.module.css";

const LINES = [62, 96, 91, 98, 84, 0, 97, 93, 88, 95, 40];

/** The shape of a page while it loads. */
export function PageSkeleton() {
  return (
    <div className={styles.page} role="status" aria-label="Loading the page">
      {LINES.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
        <span key={index} className={styles.line} style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}
