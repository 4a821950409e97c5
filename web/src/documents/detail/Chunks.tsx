import { useEffect, useRef } from "react";
import type { Chunk, Document } from "@/api/types";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { LoadError } from "@/ui/LoadError";
import { Spinner } from "@/ui/Spinner";
import { excerpt } from "@/viewer/blocks";
import { useChunks } from "../queries";
import styles from "./Chunks.module.css";

type ChunksProps = { document: Document; current: string | null; onChoose: (chunkId: string | null) => void };

/** What Ibid searches in: the document cut into passages, each a press away from where it stands. */
export function Chunks({ document, current, onChoose }: ChunksProps) {
  const chunks = useChunks(document.id, document.version, document.chunks !== 0);
  const items = chunks.data?.pages.flatMap((page) => page.items) ?? [];
  const list = useRef<HTMLOListElement>(null);
  const isListed = items.some((chunk) => chunk.id === current);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = chunks;
  useEffect(() => {
    // A link may name a passage far down: load up to it, then bring it into sight.
    if (current && !isListed && hasNextPage && !isFetchingNextPage) void fetchNextPage();
    if (isListed) list.current?.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest" });
  }, [current, isListed, hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (chunks.error) return <LoadError title="The passages did not load" query={chunks} />;
  if (chunks.isLoading)
    return (
      <p className={styles.wait}>
        <Spinner label="Loading the passages" />
      </p>
    );
  if (items.length === 0)
    return <EmptyState title="No passages yet">They appear here once the document is read.</EmptyState>;
  return (
    <>
      <ol ref={list} className={styles.list}>
        {items.map((chunk) => (
          <li key={chunk.id}>
            <Card
              chunk={chunk}
              isOn={chunk.id === current}
              onPress={() => onChoose(chunk.id === current ? null : chunk.id)}
            />
          </li>
        ))}
      </ol>
      {chunks.hasNextPage && (
        <p className={styles.wait}>
          <Button small busy={chunks.isFetchingNextPage} onClick={() => chunks.fetchNextPage()}>
            Show more passages
          </Button>
        </p>
      )}
    </>
  );
}

function Card({ chunk, isOn, onPress }: { chunk: Chunk; isOn: boolean; onPress: () => void }) {
  const { ordinal, heading_path, page_start, page_end, text } = chunk;
  const pages =
    page_end !== null && page_end !== page_start ? `pages ${page_start}–${page_end}` : `page ${page_start}`;
  return (
    <button type="button" className={styles.card} aria-pressed={isOn} onClick={onPress}>
      <span className={styles.top}>
        <span className={styles.number}>{ordinal + 1}</span>
        <span className={styles.path}>{heading_path.join(" › ")}</span>
        {page_start !== null && <span className={styles.pages}>{pages}</span>}
      </span>
      <span className={styles.text} dir="auto">
        {excerpt(text)}
      </span>
    </button>
  );
}
