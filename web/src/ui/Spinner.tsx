import styles from "./Spinner.module.css";

/** A turning ring. Give `label` where nothing else says what is being waited for. */
export function Spinner({ size = 18, label }: { size?: number; label?: string }) {
  return (
    <span
      className={styles.spinner}
      style={{ width: size, height: size }}
      role={label ? "status" : undefined}
    >
      {label && <span className="visually-hidden">{label}</span>}
    </span>
  );
}
