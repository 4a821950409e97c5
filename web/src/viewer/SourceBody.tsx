import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, sentence } from "@/api/client";
import type { Passage } from "@/api/types";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { BlockSource } from "./BlockSource";
import { PageSkeleton } from "./PageSkeleton";
import { PdfSource } from "./PdfSource";
import { QuotedSource } from "./QuotedSource";
import { SourceHeader } from "./SourceHeader";
import styles from "./SourcePane.module.css";

type SourceBodyProps = { passage: UseQueryResult<Passage>; isGuest: boolean; onClose: () => void };

export function SourceBody({ passage, isGuest, onClose }: SourceBodyProps) {
  const { data, error } = passage;
  if (data?.state === "deleted") {
    return (
      <Frame name={data.name} onClose={onClose}>
        <EmptyState title="This document was deleted">Nothing of it is kept.</EmptyState>
      </Frame>
    );
  }
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Frame name="Source" onClose={onClose}>
        <EmptyState title="This passage is gone">
          {isGuest
            ? "Its document was deleted or replaced, or is not shown to guests any more."
            : "Its document was deleted or replaced, or it is not shared with you any more."}
        </EmptyState>
      </Frame>
    );
  }
  if (isGuest && error instanceof ApiError && error.status === 401) {
    return (
      <Frame name="Source" onClose={onClose}>
        <EmptyState title="Your visit has ended">
          A guest is forgotten after half an hour of silence. Ask again to open sources.
        </EmptyState>
      </Frame>
    );
  }
  if (error) {
    return (
      <Frame name="Source" onClose={onClose}>
        <EmptyState
          title="The source did not load"
          action={
            <Button icon="retry" onClick={() => passage.refetch()}>
              Try again
            </Button>
          }
        >
          {sentence(error)}
        </EmptyState>
      </Frame>
    );
  }
  if (!data) {
    return (
      <Frame name="Loading the source" onClose={onClose}>
        <PageSkeleton />
      </Frame>
    );
  }
  return <Loaded passage={data} isGuest={isGuest} onClose={onClose} />;
}

function Frame({
  name,
  onClose,
  children,
}: {
  name: string;
  onClose: () => void;
  children: React.ReactNode;
}) {
  return (
    <>
      <SourceHeader name={name} onClose={onClose} />
      <div className={styles.scroll}>{children}</div>
    </>
  );
}

type LoadedProps = Omit<SourceBodyProps, "passage"> & { passage: Passage };

/** Which page is shown: the passage's own to begin with. */
function Loaded({ passage, isGuest, onClose }: LoadedProps) {
  const [page, setPage] = useState(passage.viewer_page ?? passage.page_start ?? 1);
  const [pages, setPages] = useState<number | null>(null);
  const isOld = passage.state === "superseded";
  const isPdf = passage.media_type === "application/pdf";
  const View = isPdf && !isGuest ? PdfSource : BlockSource;
  return (
    <>
      <SourceHeader
        name={passage.name}
        passage={passage}
        isGuest={isGuest}
        onClose={onClose}
        stepper={
          isOld
            ? undefined
            : { page, pages, home: passage.viewer_page, unit: isPdf ? "Page" : "Part", onPage: setPage }
        }
      />
      {isOld ? (
        <QuotedSource passage={passage} />
      ) : (
        <View passage={passage} page={page} onPages={setPages} onPage={setPage} />
      )}
    </>
  );
}
