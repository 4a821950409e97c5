import type { ReactNode } from "react";
import styles from "./EmptyState.module.css";

type EmptyStateProps = {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** It is all there is on the page, so its title is the page's. */
  isPage?: boolean;
};

/** What an empty or broken place says: what it is, one sentence, and the next step. */
export function EmptyState({ title, children, action, isPage }: EmptyStateProps) {
  const Title = isPage ? "h1" : "h2";
  return (
    <div className={styles.empty} data-page={isPage}>
      <Title className={styles.title}>{title}</Title>
      {children && <div className={styles.words}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
