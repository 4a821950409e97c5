import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useLocation, useSearch } from "wouter";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import type { Document, Passage } from "@/api/types";
import { useNarrow } from "@/viewer/useNarrow";
import type { DocumentDialog } from "../DocumentDialogs";
import { number } from "../words";
import { About } from "./About";
import { Chunks } from "./Chunks";
import { Condition } from "./Condition";
import styles from "./DetailBody.module.css";
import { Original } from "./Original";
import { Sharing } from "./Sharing";

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
  const hasOriginal = isReadable(document) || document.media_type === "application/pdf";
  const condition = (
    <Condition document={document} onDelete={() => onDialog({ kind: "delete", documents: [document] })} />
  );
  const original =
    hasOriginal && document.status !== "failed" ? (
      <Original document={document} passage={chunkId ? (passage.data ?? null) : null} />
    ) : (
      <div className={styles.absent}>{condition}</div>
    );
  return (
    <div className={styles.body}>
      {!isNarrow && (
        <section className={styles.original} aria-label="Original">
          <h2 className="visually-hidden">Original</h2>
          {original}
        </section>
      )}
      <Side
        document={document}
        original={isNarrow ? original : null}
        condition={condition}
        chunkId={chunkId}
        onChoose={choose}
      />
    </div>
  );
}

function isReadable({ status }: Document): boolean {
  return status === "completed" || status === "partial";
}

/** The end of an address that opens the sharing of a document. */
const SHARING = "tab=sharing";

type SideProps = {
  document: Document;
  /** Its own tab where there is no column for it. */
  original: ReactNode | null;
  condition: ReactNode;
  chunkId: string | null;
  onChoose: (chunkId: string | null) => void;
};

function Side({ document, original, condition, chunkId, onChoose }: SideProps) {
  const isTrouble = document.status === "failed"; // its reason stands where the original would
  const start = original && (chunkId || isTrouble) ? "original" : isReadable(document) ? "passages" : "about";
  const [tab, setTab] = useState(start);
  const isAskedFor = useSearch() === SHARING;
  useEffect(() => {
    if (isAskedFor) setTab("sharing"); // by a link, perhaps while another tab is open
  }, [isAskedFor]);
  const choose = (next: string | null) => {
    onChoose(next);
    if (original && next) setTab("original"); // there is no room to see both
  };
  return (
    <Tabs
      className={styles.side}
      selectedKey={tab === "original" && !original ? "passages" : tab}
      onSelectionChange={(key) => setTab(String(key))}
    >
      <TabList className={styles.tabs} aria-label="About the document">
        {original && (
          <Tab id="original" className={styles.tab}>
            Original
          </Tab>
        )}
        <Tab id="passages" className={styles.tab} isDisabled={!isReadable(document)}>
          Passages {document.chunks ? <span className={styles.amount}>{number(document.chunks)}</span> : null}
        </Tab>
        <Tab id="about" className={styles.tab}>
          About
        </Tab>
        <Tab id="sharing" className={styles.tab}>
          Sharing
        </Tab>
      </TabList>
      {original && (
        <TabPanel id="original" className={styles.originalPanel}>
          {original}
        </TabPanel>
      )}
      <TabPanel id="passages" className={styles.panel}>
        <Chunks document={document} current={chunkId} onChoose={choose} />
      </TabPanel>
      <TabPanel id="about" className={styles.panel}>
        {document.status !== "failed" && condition}
        <About document={document} />
      </TabPanel>
      <TabPanel id="sharing" className={styles.panel}>
        <Sharing document={document} />
      </TabPanel>
    </Tabs>
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
