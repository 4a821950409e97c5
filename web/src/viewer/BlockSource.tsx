import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { DocumentPage } from "@/api/types";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import styles from "./BlockSource.module.css";
import { Blocks } from "./Blocks";
import { markBlocks, placePassage } from "./blocks";
import { PageSkeleton } from "./PageSkeleton";
import type { SourceViewProps } from "./PdfSource";
import pane from "./SourcePane.module.css";
import { reveal } from "./scroll";

/** The text of a document as the parser read it, with the passage's words marked. */
export function BlockSource({ passage, page, onPages, note }: SourceViewProps & { note?: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.documentPage(passage.document_id, page), passage.version],
    queryFn: ({ signal }) =>
      api.get<DocumentPage>(`/api/documents/${passage.document_id}/pages/${page}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { shown, marks } = useMemo(() => {
    const { shown, own } = placePassage(data?.blocks ?? [], passage);
    return { shown, marks: markBlocks(own, passage.text) };
  }, [data, passage]);

  useEffect(() => {
    if (!data || !area.current) return;
    onPages(data.pages);
    const mark = area.current.querySelector<HTMLElement>("[data-mark]");
    if (mark) reveal(area.current, mark);
    else area.current.scrollTo({ top: 0 });
  }, [data, onPages]);

  return (
    <div ref={area} className={pane.scroll}>
      {note && <div className={pane.note}>{note}</div>}
      {error ? (
        <EmptyState
          title="The text did not load"
          action={
            <Button icon="retry" onClick={() => refetch()}>
              Try again
            </Button>
          }
        >
          {sentence(error)}
        </EmptyState>
      ) : data ? (
        <article className={styles.sheet}>
          <Blocks blocks={shown} marks={marks} />
        </article>
      ) : (
        <PageSkeleton />
      )}
    </div>
  );
}
