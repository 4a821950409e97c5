import { useQuery } from "@tanstack/react-query";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useLocation, useSearch } from "wouter";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import type { Document, Passage } from "@/api/types";
import { useNarrow } from "@/viewer/useNarrow";
import type { DocumentDialog } from "../DocumentDialogs";
import { number, statusWords } from "../words";
import { About } from "./About";
import { Chunks } from "./Chunks";
import { Condition } from "./Condition";
import styles from "./DetailBody.module.css";
import { Original } from "./Original";

type DetailBodyProps = { document: Document; onDialog: (dialog: DocumentDialog) => void };

/** Original beside passages and facts; where that is too narrow, one at a time behind tabs. */
export function DetailBody({ document, onDialog }: DetailBodyProps) {
  const isNarrow = useNarrow();
  const [chunkId, choose] = useChosenChunk(document.id);
  const passage = useQuery({
    queryKey: keys.passage(chunkId ?? ""),
    queryFn: ({ signal }) => api.get<Passage>(`/api/passages/${chunkId}`, { signal }),
    enabled: chunkId !== null,
    placeholderData: (previous) => previous,
  });
  const isReadable = ["completed", "partial"].includes(document.status);
  const hasOriginal =
    isReadable || (document.media_type === "application/pdf" && document.status !== "failed");
  const condition = (
    <Condition document={document} onDelete={() => onDialog({ kind: "delete", documents: [document] })} />
  );
  const original = hasOriginal ? (
    <Original document={document} passage={chunkId ? (passage.data ?? null) : null} />
  ) : (
    <div className={styles.absent}>{condition}</div>
  );
  const isBusy = statusWords(document.status).tone === "busy";
  return (
    <div className={styles.body}>
      {!isNarrow && (
        <section className={styles.original} aria-label="Original">
          {original}
        </section>
      )}
      <Tabs className={styles.side} defaultSelectedKey={isReadable ? "passages" : "about"}>
        <TabList className={styles.tabs} aria-label="About the document">
          {isNarrow && (
            <Tab id="original" className={styles.tab}>
              Original
            </Tab>
          )}
          <Tab id="passages" className={styles.tab} isDisabled={!isReadable}>
            Passages{" "}
            {document.chunks ? <span className={styles.amount}>{number(document.chunks)}</span> : null}
          </Tab>
          <Tab id="about" className={styles.tab}>
            About
          </Tab>
        </TabList>
        {isNarrow && (
          <TabPanel id="original" className={styles.originalPanel}>
            {original}
          </TabPanel>
        )}
        <TabPanel id="passages" className={styles.panel}>
          <Chunks document={document} current={chunkId} onChoose={choose} />
        </TabPanel>
        <TabPanel id="about" className={styles.panel}>
          {(isBusy || hasOriginal) && condition}
          <About document={document} />
        </TabPanel>
      </Tabs>
    </div>
  );
}

/** The chosen passage, in the address so that it can be linked to. */
function useChosenChunk(documentId: string): [string | null, (chunkId: string | null) => void] {
  const [, navigate] = useLocation();
  const chunkId = new URLSearchParams(useSearch()).get("passage");
  const choose = (next: string | null) =>
    navigate(`/documents/${documentId}${next ? `?passage=${encodeURIComponent(next)}` : ""}`, {
      replace: true,
    });
  return [chunkId, choose];
}
