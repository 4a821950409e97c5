import { lazy, Suspense } from "react";
import type { Passage } from "@/api/types";
import { PageSkeleton } from "./PageSkeleton";
import styles from "./SourcePane.module.css";

export type SourceViewProps = {
  passage: Passage;
  page: number;
  onPages: (pages: number) => void;
  onPage: (page: number) => void;
};

const PdfView = lazy(() => import("./PdfView"));

/** The original page of a PDF; pdf.js is fetched only when one is opened. */
export function PdfSource(props: SourceViewProps) {
  return (
    <Suspense
      fallback={
        <div className={styles.scroll}>
          <PageSkeleton />
        </div>
      }
    >
      <PdfView {...props} />
    </Suspense>
  );
}
