import { useEffect, useMemo, useState } from "react";
import type { Document, Passage } from "@/api/types";
import { BlockSource } from "@/viewer/BlockSource";
import { PdfSource } from "@/viewer/PdfSource";
import { PageStepper } from "@/viewer/SourceHeader";
import styles from "./Original.module.css";

/** The document as it is, page by page, with the chosen passage marked. */
export function Original({ document, passage }: { document: Document; passage: Passage | null }) {
  const whole = useMemo(() => passageOfAll(document), [document]);
  const shown = passage ?? whole;
  const home = passage ? (passage.viewer_page ?? 1) : null;
  const [page, setPage] = useState(home ?? 1);
  const [pages, setPages] = useState<number | null>(null);
  const isPdf = document.media_type === "application/pdf";
  const View = isPdf ? PdfSource : BlockSource;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another passage on the same page goes back to it, too
  useEffect(() => {
    if (home !== null) setPage(home);
  }, [home, shown.chunk_id]);

  return (
    <div className={styles.frame}>
      {(pages ?? 0) > 1 && (
        <div className={styles.bar}>
          <PageStepper
            page={page}
            pages={pages}
            home={home}
            unit={isPdf ? "Page" : "Part"}
            onPage={setPage}
          />
        </div>
      )}
      <View passage={shown} page={page} onPages={setPages} onPage={setPage} />
    </div>
  );
}

/** A passage that marks nothing: the viewers then simply show the document. */
function passageOfAll(document: Document): Passage {
  return {
    chunk_id: "",
    document_id: document.id,
    name: document.name,
    media_type: document.media_type,
    version: document.version,
    state: "current",
    text: "",
    heading_path: [],
    page_start: null,
    page_end: null,
    block_start: null,
    block_end: null,
    viewer_page: null,
    boxes: [],
  };
}
