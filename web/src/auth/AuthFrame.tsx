import type { ReactNode } from "react";
import styles from "./AuthFrame.module.css";

/** The page before one is inside: a title page, with the form in its margin. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.cover} aria-hidden="true">
        <p className={styles.brand}>Ibid</p>
        <p className={styles.line}>
          Answers from your own documents, <span className={styles.lit}>each with its page</span>
          <span className={styles.number}>1</span>
        </p>
        <p className={styles.note}>
          <b>1</b> <i>ibid.</i>, short for <i>ibidem</i>: in the same place.
        </p>
      </div>
      <div className={styles.side}>
        <div className={styles.form}>
          <h1 className={styles.title}>{title}</h1>
          {children}
        </div>
      </div>
    </main>
  );
}
