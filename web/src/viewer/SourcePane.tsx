import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import type { Passage } from "@/api/types";
import { SourceBody } from "./SourceBody";
import styles from "./SourcePane.module.css";
import { useNarrow } from "./useNarrow";

export type SourcePaneProps = {
  chunkId: string;
  /** Guests read the text of a page: they get no files, and have no page of a document. */
  isGuest?: boolean;
  onClose: () => void;
};

/** The page a passage comes from, its words marked: a column beside the answer, a sheet where it is narrow. */
export default function SourcePane({ chunkId, isGuest = false, onClose }: SourcePaneProps) {
  const isNarrow = useNarrow();
  const passage = useQuery({
    queryKey: keys.passage(chunkId),
    queryFn: ({ signal }) => api.get<Passage>(`/api/passages/${chunkId}`, { signal }),
  });
  const body = <SourceBody key={chunkId} passage={passage} isGuest={isGuest} onClose={onClose} />;
  return isNarrow ? <Sheet onClose={onClose}>{body}</Sheet> : <Column onClose={onClose}>{body}</Column>;
}

function Sheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen
      isDismissable
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Modal className={styles.sheet}>
        <Dialog className={styles.pane} aria-label="Source">
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Takes the focus when it opens and gives it back; Escape closes it from anywhere on the page. */
function Column({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    pane.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("[role=dialog]"))
        onClose();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    <aside ref={pane} className={styles.pane} aria-label="Source" tabIndex={-1}>
      {children}
    </aside>
  );
}
