import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { Source } from "@/api/types";
import { type Anchor, readAnchors, sameAnchors } from "./anchors";
import { layoutNotes } from "./layout";
import styles from "./MarginNotes.module.css";
import { NoteCard } from "./NoteCard";

const GAP = 10;

type MarginNotesProps = {
  article: RefObject<HTMLElement | null>;
  /** Changes whenever the article may have new marks. */
  text: string;
  sources: ReadonlyMap<number, Source>;
  openChunk: string | null;
  onOpen: (source: Source) => void;
};

/** The notes of one answer, each beside the line that cites it. */
export function MarginNotes({ article, text, sources, openChunk, onOpen }: MarginNotesProps) {
  const margin = useRef<HTMLElement>(null);
  const [anchors, setAnchors] = useState<Anchor[]>([]);

  const read = useCallback(() => {
    if (!article.current) return;
    const next = readAnchors(article.current);
    setAnchors((current) => (sameAnchors(current, next) ? current : next));
  }, [article]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: new text means new marks
  useLayoutEffect(read, [read, text, sources]);
  useLayoutEffect(() => {
    const element = margin.current;
    if (!element) return;
    place(element, anchors);
    const observer = new ResizeObserver(() => {
      read();
      place(element, anchors);
    });
    if (article.current) observer.observe(article.current);
    for (const note of element.children) observer.observe(note);
    return () => observer.disconnect();
  }, [anchors, article, read]);

  return (
    <aside ref={margin} className={styles.margin} aria-label="Notes">
      {anchors.map(({ key, n, brief }) => {
        const source = sources.get(n);
        return (
          source && (
            <div key={key} className={styles.place}>
              <NoteCard
                source={source}
                brief={brief}
                isOpen={openChunk === source.chunk_id}
                onOpen={onOpen}
              />
            </div>
          )
        );
      })}
    </aside>
  );
}

function place(margin: HTMLElement, anchors: readonly Anchor[]) {
  const notes = [...margin.children] as HTMLElement[];
  const wanted = notes.map((note, index) => ({
    top: (anchors[index]?.top ?? 0) - 2,
    height: note.offsetHeight,
  }));
  const tops = layoutNotes(wanted, GAP);
  notes.forEach((note, index) => {
    note.style.top = `${tops[index]}px`;
    note.dataset.placed = ""; // from now on it glides; it never flies in from the top
  });
  const foot = (tops.at(-1) ?? 0) + (wanted.at(-1)?.height ?? 0);
  margin.style.minHeight = `${foot}px`;
}
