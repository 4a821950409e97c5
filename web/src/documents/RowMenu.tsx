import { useLocation } from "wouter";
import type { Document } from "@/api/types";
import { Menu, type MenuEntry } from "@/ui/Menu";
import type { DocumentDialog } from "./DocumentDialogs";
import { useChangeDocuments, useRun } from "./queries";
import { statusWords, VISIBILITIES } from "./words";

type RowMenuProps = { document: Document; onDialog: (dialog: DocumentDialog) => void };

export function RowMenu({ document, onDialog }: RowMenuProps) {
  return <Menu label={`Actions for ${document.name}`} items={useDocumentMenu(document, onDialog)} />;
}

/** What can be done with one document, in the list and on its own page. */
export function useDocumentMenu(document: Document, onDialog: (dialog: DocumentDialog) => void): MenuEntry[] {
  const [, navigate] = useLocation();
  const change = useChangeDocuments();
  const retry = useRun("retry");
  const cancel = useRun("cancel");
  const open = (kind: DocumentDialog["kind"]) => () => onDialog({ kind, documents: [document] });
  const sharing = VISIBILITIES.filter(({ value }) => value !== document.visibility).map(
    ({ value, action, icon }): MenuEntry => ({
      id: `see-${value}`,
      label: action,
      icon,
      onAction: () => change.mutate({ ids: [document.id], values: { visibility: value } }),
    }),
  );
  const isBusy = statusWords(document.status).tone === "busy";
  const isDone = document.status === "completed";
  return [
    {
      id: "download",
      label: "Download",
      icon: "download",
      onAction: () => window.location.assign(`/api/documents/${document.id}/original`),
    },
    { id: "rename", label: "Rename", icon: "pencil", onAction: open("rename") },
    { id: "move", label: "Move", icon: "folder", onAction: open("move") },
    ...sharing,
    {
      id: "sharing",
      label: "Sharing",
      icon: "eye",
      onAction: () => navigate(`/documents/${document.id}?tab=sharing`),
    },
    ...(isBusy
      ? [{ id: "stop", label: "Stop", icon: "stop", onAction: () => cancel.mutate(document.id) } as const]
      : []),
    ...(isBusy || isDone
      ? []
      : [
          {
            id: "retry",
            label: "Read it again",
            icon: "retry",
            onAction: () => retry.mutate(document.id),
          } as const,
        ]),
    { id: "delete", label: "Delete", icon: "trash", danger: true, onAction: open("delete") },
  ];
}
