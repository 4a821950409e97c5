import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
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
  const [zoom, setZoom] = useState(0);
  const place = `${passage.chunk_id} ${page} ${zoom}`;

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
      {pdf && <Zoom level={zoom} onLevel={setZoom} />}
      {pdf ? (
        <div style={{ width: `${ZOOMS[zoom]}%` }}>
          <PdfPage
            pdf={pdf}
            number={page}
            boxes={boxes}
            passage={isHere ? passage.text : ""}
            onShown={onShown}
          />
        </div>
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

// Shares of the pane's width: the whole page, comfortable, and the small print on a phone.
const ZOOMS = [100, 150, 225] as const;

function Zoom({ level, onLevel }: { level: number; onLevel: (level: number) => void }) {
  return (
    <div className={styles.zoom}>
      <IconButton
        small
        icon="minus"
        label="Smaller"
        disabled={level === 0}
        onClick={() => onLevel(level - 1)}
      />
      <IconButton
        small
        icon="plus"
        label="Larger"
        disabled={level === ZOOMS.length - 1}
        onClick={() => onLevel(level + 1)}
      />
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
