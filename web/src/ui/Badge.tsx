import type { ReactNode } from "react";
import styles from "./Badge.module.css";
import { classes } from "./classes";

export type Tone = "grounded" | "partly" | "general" | "none" | "failed" | "accent";

/** A state in words on its colour; the words alone must be enough. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>;
}
