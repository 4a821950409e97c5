import type { Document } from "@/api/types";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { MoveDialog } from "./MoveDialog";
import { NameDialog } from "./NameDialog";
import { useChangeDocuments, useDeleteDocuments, useFolders } from "./queries";
import { pathWords } from "./tree";
import { count } from "./words";

export type DocumentDialog = { kind: "rename" | "move" | "delete"; documents: readonly Document[] };

type DocumentDialogsProps = {
  dialog: DocumentDialog | null;
  onClose: () => void;
  onDone: (dialog: DocumentDialog) => void;
};

export function DocumentDialogs({ dialog, onClose, onDone }: DocumentDialogsProps) {
  const [first] = dialog?.documents ?? [];
  if (!dialog || !first) return null;
  const props = {
    documents: dialog.documents,
    onClose,
    onDone: () => {
      onClose();
      onDone(dialog);
    },
  };
  if (dialog.kind === "rename") return <RenameDialog {...props} document={first} />;
  return dialog.kind === "move" ? <MoveDocuments {...props} /> : <DeleteDialog {...props} />;
}

type DialogProps = { documents: readonly Document[]; onClose: () => void; onDone: () => void };

function what(documents: readonly Document[]): string {
  return documents.length === 1 && documents[0] ? documents[0].name : count(documents.length, "document");
}

function RenameDialog({ document, onClose, onDone }: DialogProps & { document: Document }) {
  const change = useChangeDocuments();
  return (
    <NameDialog
      title="Rename"
      initial={document.name}
      maxLength={255}
      action="Rename"
      help="Answers that cite it show the new name from now on."
      busy={change.isPending}
      onFocus={(event) => event.target.setSelectionRange(0, Math.max(0, document.name.lastIndexOf(".")))}
      onName={(name) => change.mutate({ ids: [document.id], values: { name } }, { onSuccess: onDone })}
      onClose={onClose}
    />
  );
}

const NONE = "";

function MoveDocuments({ documents, onClose, onDone }: DialogProps) {
  const { folders } = useFolders();
  const change = useChangeDocuments();
  const origin = documents.every((one) => one.folder_id === documents[0]?.folder_id)
    ? documents[0]?.folder_id
    : undefined;
  const options = [
    ...(origin === null ? [] : [{ value: NONE, label: "No folder" }]),
    ...folders
      .filter((folder) => folder.id !== origin)
      .map(({ id }) => ({ value: id, label: pathWords(folders, id) }))
      .sort((a, b) => a.label.localeCompare(b.label)),
  ];
  const move = (target: string) =>
    change.mutate(
      { ids: documents.map(({ id }) => id), values: { folder_id: target || null } },
      { onSuccess: onDone },
    );
  return (
    <MoveDialog
      title={`Move ${what(documents)}`}
      options={options}
      initial={options.at(-1)?.value ?? NONE}
      nowhere="There is no folder yet. Create one first, beside the list."
      busy={change.isPending}
      onMove={move}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ documents, onClose, onDone }: DialogProps) {
  const remove = useDeleteDocuments();
  const passages = documents.reduce((sum, one) => sum + (one.chunks ?? 0), 0);
  const isOne = documents.length === 1;
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title={`Delete ${what(documents)}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{isOne ? "Keep it" : "Keep them"}</Button>
          <Button
            tone="danger"
            busy={remove.isPending}
            onClick={() => remove.mutate(documents, { onSettled: onDone })}
          >
            Delete
          </Button>
        </>
      }
    >
      <p>
        {passages > 0
          ? `${count(passages, "passage")} and the ${isOne ? "file" : "files"} go with ${isOne ? "it" : "them"}, at once and for good. `
          : `The ${isOne ? "file goes" : "files go"}, at once and for good. `}
        Old answers keep their words, but a source that was deleted opens no more.
      </p>
    </Dialog>
  );
}
