import { useCallback, useEffect, useMemo, useRef } from "react";
import { Button } from "@/ui/Button";
import { BlockSource } from "./BlockSource";
import { PageSkeleton } from "./PageSkeleton";
import { PdfPage } from "./PdfPage";
import type { SourceViewProps } from "./PdfSource";
import styles from "./SourcePane.module.css";
import { reveal } from "./scroll";
import { usePdf } from "./usePdf";

export default function PdfView(props: SourceViewProps) {
  const { passage, page, onPages, onPage } = props;
  const area = useRef<HTMLDivElement>(null);
  const { pdf, error, retry } = usePdf(passage.document_id, passage.version);
  const boxes = useMemo(
    () => passage.boxes.filter((box) => box.page === page).map((box) => box.bbox),
    [passage.boxes, page],
  );
  const isHere = boxes.length > 0 || page === passage.viewer_page;
  const next = passage.boxes.some((box) => box.page === page + 1) ? page + 1 : null;
  const shown = useRef("");
  const place = `${passage.chunk_id} ${page}`;

  useEffect(() => {
    if (pdf) onPages(pdf.numPages);
  }, [pdf, onPages]);

  // Only the first time a passage's page is shown: a redraw at another width must not move what is being read.
  const onShown = useCallback(
    (mark: HTMLElement | null) => {
      if (!area.current || shown.current === place) return;
      shown.current = place;
      if (mark) reveal(area.current, mark);
      else area.current.scrollTo({ top: 0 });
    },
    [place],
  );

  if (error) return <TextInstead {...props} onRetry={retry} />;
  return (
    <div ref={area} className={styles.scroll}>
      {pdf ? (
        <PdfPage
          pdf={pdf}
          number={page}
          boxes={boxes}
          passage={isHere ? passage.text : ""}
          onShown={onShown}
        />
      ) : (
        <PageSkeleton />
      )}
      {isHere && next && (
        <p className={styles.more}>
          <Button small onClick={() => onPage(next)}>
            The passage goes on, on page {next}
          </Button>
        </p>
      )}
    </div>
  );
}

/** When the file cannot be drawn, its text can still be read. */
function TextInstead({ onRetry, ...props }: SourceViewProps & { onRetry: () => void }) {
  return (
    <BlockSource
      {...props}
      note={
        <>
          The page could not be drawn, so this is its text.
          <Button small tone="quiet" icon="retry" onClick={onRetry}>
            Draw it again
          </Button>
        </>
      }
    />
  );
}
