import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
} from "react-aria-components";
import { useLocation } from "wouter";
import { api, query } from "@/api/client";
import { keys } from "@/api/keys";
import { useThreads } from "@/api/queries";
import type { DocumentList, Me } from "@/api/types";
import { Icon, type IconName } from "@/ui/Icon";
import styles from "./Palette.module.css";
import { isAdmin } from "./Rail";

type Place = { id: string; label: string; kind: string; icon: IconName; href: string };
const SHOWN_EACH = 6;

/** Ctrl/Cmd+K: pages, earlier questions and documents in one list. */
export default function Palette({ me, onClose }: { me: Me; onClose: () => void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState("");
  const places = usePlaces(me, text.trim());
  const go = (href: string) => {
    onClose();
    navigate(href);
  };
  return (
    <ModalOverlay className={styles.overlay} isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={styles.modal}>
        <Dialog aria-label="Go anywhere" className={styles.dialog}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField
              aria-label="Go to a page, a question or a document"
              autoFocus
              className={styles.search}
            >
              <Icon name="search" />
              <Input className={styles.input} placeholder="Go to a page, a question or a document" />
            </SearchField>
            <Menu
              className={styles.list}
              items={places}
              aria-label="Places"
              onAction={(id) => go(places.find((place) => place.id === id)?.href ?? "/")}
              renderEmptyState={() => <p className={styles.nothing}>Nothing is called that.</p>}
            >
              {(place) => (
                <MenuItem id={place.id} textValue={place.label} className={styles.item}>
                  <Icon name={place.icon} />
                  <span className={styles.label}>{place.label}</span>
                  <span className={styles.kind}>{place.kind}</span>
                </MenuItem>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function usePlaces(me: Me, q: string): Place[] {
  const threads = useThreads(q);
  const documents = useQuery({
    queryKey: keys.documentList({ q, limit: SHOWN_EACH }),
    queryFn: () => api.get<DocumentList>(`/api/documents${query({ q, limit: SHOWN_EACH })}`),
    placeholderData: (previous) => previous,
  });
  const found: Place[] = [
    ...pages(me).filter((page) => page.label.toLowerCase().includes(q.toLowerCase())),
    ...(threads.data ?? []).slice(0, SHOWN_EACH).map((thread) => ({
      id: `thread-${thread.id}`,
      label: thread.title,
      kind: "Question",
      icon: "ask" as const,
      href: `/t/${thread.id}`,
    })),
    ...(documents.data?.items ?? []).map((document) => ({
      id: `document-${document.id}`,
      label: document.name,
      kind: "Document",
      icon: "file" as const,
      href: `/documents/${document.id}`,
    })),
  ];
  return found;
}

function pages(me: Me): Place[] {
  const all: Place[] = [
    { id: "ask", label: "New question", kind: "Page", icon: "ask", href: "/" },
    { id: "documents", label: "Documents", kind: "Page", icon: "documents", href: "/documents" },
    { id: "search", label: "Search", kind: "Page", icon: "search", href: "/search" },
    { id: "names", label: "Names in the documents", kind: "Page", icon: "people", href: "/names" },
  ];
  if (isAdmin(me)) {
    all.push({ id: "settings", label: "Settings", kind: "Page", icon: "settings", href: "/settings" });
    all.push({
      id: "wanted",
      label: "Wanted: questions without an answer",
      kind: "Page",
      icon: "star",
      href: "/wanted",
    });
  }
  return all;
}
