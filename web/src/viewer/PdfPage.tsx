import { useEffect, useRef, useState } from "react";
import type { Box } from "@/api/types";
import { bounds, type Rect } from "./boxes";
import { drawCanvas, findWords, layText, sharesOf } from "./draw";
import styles from "./PdfPage.module.css";
import type { PDFDocumentProxy, PDFPageProxy } from "./pdf";
import { useWidth } from "./useWidth";

export type PdfPageProps = {
  pdf: PDFDocumentProxy;
  number: number;
  /** Where the passage stands on this page. */
  boxes: readonly Box[];
  passage: string;
  /** Called once the page and its marks are in place, with the topmost mark. */
  onShown: (mark: HTMLElement | null) => void;
};

type Marks = { words: Rect[] | null; boxes: Rect[] };

export function PdfPage({ pdf, number, boxes, passage, onShown }: PdfPageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [page, setPage] = useState<PDFPageProxy | null>(null);
  const [marks, setMarks] = useState<Marks | null>(null);

  useEffect(() => {
    let isCurrent = true;
    setMarks(null);
    void pdf.getPage(number).then((next) => isCurrent && setPage(next));
    return () => {
      isCurrent = false;
    };
  }, [pdf, number]);

  useEffect(() => {
    if (!page || !width || page.pageNumber !== number) return;
    const drawing = drawCanvas(page, width);
    drawing.done.then(
      () => paper.current?.replaceChildren(drawing.canvas),
      () => undefined, // cancelled: another page or width is on its way
    );
    return drawing.cancel;
  }, [page, width, number]);

  useEffect(() => {
    const layer = text.current;
    const around = frame.current;
    if (!page || !width || !layer || !around || page.pageNumber !== number) return;
    let isCurrent = true;
    void layText(page, layer, width).then((words) => {
      if (!isCurrent) return;
      const found = passage ? findWords(words, page, boxes, passage, around.getBoundingClientRect()) : null;
      setMarks({ words: found, boxes: sharesOf(boxes, page) });
    });
    return () => {
      isCurrent = false;
    };
  }, [page, width, number, boxes, passage]);

  useEffect(() => {
    if (marks) onShown(frame.current?.querySelector<HTMLElement>("[data-mark]") ?? null);
  }, [marks, onShown]);

  const size = page?.getViewport({ scale: 1 });
  return (
    <div
      ref={frame}
      className={styles.page}
      style={{
        aspectRatio: size ? `${size.width} / ${size.height}` : "612 / 792",
        ["--total-scale-factor" as string]: size ? width / size.width : 1,
      }}
    >
      <div ref={paper} className={styles.paper} role="img" aria-label={`Page ${number}, as printed`} />
      {marks && <MarkLayer marks={marks} />}
      <div ref={text} className={styles.text} />
    </div>
  );
}

function place(rect: Rect) {
  return { left: `${rect.left}%`, top: `${rect.top}%`, width: `${rect.width}%`, height: `${rect.height}%` };
}

function MarkLayer({ marks }: { marks: Marks }) {
  const rects = marks.words ?? marks.boxes;
  const around = bounds(marks.boxes.length ? marks.boxes : rects);
  return (
    <div className={styles.marks} aria-hidden="true">
      {around && (
        <div
          data-mark
          className={styles.rule}
          style={{ top: `${around.top}%`, height: `${around.height}%`, left: `${around.left}%` }}
        />
      )}
      {rects.map((rect, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: replaced as a whole
          key={index}
          className={marks.words ? styles.word : styles.box}
          style={place(rect)}
        />
      ))}
    </div>
  );
}
