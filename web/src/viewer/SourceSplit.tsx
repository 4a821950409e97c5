import { type ComponentPropsWithoutRef, lazy, type ReactNode, Suspense } from "react";
import { Waiting } from "@/app/Waiting";
import { classes } from "@/ui/classes";
import type { OpenSource } from "./openSource";
import styles from "./SourceSplit.module.css";

const SourcePane = lazy(() => import("./SourcePane"));

type SourceSplitProps = ComponentPropsWithoutRef<"div"> & {
  source: OpenSource;
  isGuest?: boolean;
  /** For the pane's own class. */
  paneClass?: string;
};

/** Something with the open source beside it, or over it where there is no room for two. */
export function SourceSplit({ source, isGuest, paneClass, className, children, ...rest }: SourceSplitProps) {
  const { open, onClose } = source;
  return (
    <div {...rest} className={classes(styles.split, className)} data-pane={open !== null}>
      {children}
      {open !== null && (
        <div className={classes(styles.pane, paneClass)}>
          <Suspense fallback={<Waiting />}>
            <SourcePane chunkId={open} isGuest={isGuest} onClose={onClose} />
          </Suspense>
        </div>
      )}
    </div>
  );
}

/** A page that scrolls by itself, with the open source beside it. */
export function SourceSplitPage({ source, children }: { source: OpenSource; children: ReactNode }) {
  return (
    <SourceSplit source={source}>
      <div className={styles.page}>{children}</div>
    </SourceSplit>
  );
}
