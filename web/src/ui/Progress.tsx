import styles from "./Progress.module.css";

/** A thin bar. `value` runs from 0 to 1; null while the total is unknown. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  const percent = value === null ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div
        className={percent === undefined ? styles.unknown : styles.bar}
        style={percent === undefined ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
