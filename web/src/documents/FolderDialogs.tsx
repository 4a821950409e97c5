import { sentence } from "@/api/client";
import type { Folder } from "@/api/types";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { MoveDialog } from "./MoveDialog";
import { NameDialog } from "./NameDialog";
import { useChangeFolder, useFolders } from "./queries";
import { pathWords, targetsFor } from "./tree";
import { count } from "./words";

export type FolderDialog =
  | { kind: "create"; parent: Folder | null }
  | { kind: "rename" | "move" | "delete"; folder: Folder };

type FolderDialogsProps = {
  dialog: FolderDialog | null;
  current: string | null;
  onClose: () => void;
  onOpen: (folderId: string | null) => void;
};

export function FolderDialogs({ dialog, current, onClose, onOpen }: FolderDialogsProps) {
  if (!dialog) return null;
  if (dialog.kind === "create")
    return <NameFolder parent={dialog.parent} onClose={onClose} onDone={onOpen} />;
  const { folder } = dialog;
  if (dialog.kind === "rename")
    return <NameFolder folder={folder} parent={null} onClose={onClose} onDone={() => undefined} />;
  if (dialog.kind === "move") return <MoveFolder folder={folder} onClose={onClose} />;
  return (
    <DeleteDialog
      folder={folder}
      onClose={onClose}
      onDone={() => current === folder.id && onOpen(folder.parent_id)}
    />
  );
}

type NameFolderProps = {
  folder?: Folder;
  parent: Folder | null;
  onClose: () => void;
  onDone: (folderId: string) => void;
};

function NameFolder({ folder, parent, onClose, onDone }: NameFolderProps) {
  const change = useChangeFolder();
  const save = (name: string) =>
    change.mutate(
      folder
        ? { do: "change", id: folder.id, values: { name } }
        : { do: "create", name, parent_id: parent?.id ?? null },
      {
        onSuccess: (made) => {
          onClose();
          if (made) onDone(made.id);
        },
      },
    );
  return (
    <NameDialog
      title={folder ? `Rename ${folder.name}` : parent ? `New folder in ${parent.name}` : "New folder"}
      initial={folder?.name ?? ""}
      maxLength={120}
      action={folder ? "Rename" : "Create"}
      error={change.error ? sentence(change.error) : null}
      busy={change.isPending}
      onName={save}
      onClose={onClose}
    />
  );
}

const TOP = "";

function MoveFolder({ folder, onClose }: { folder: Folder; onClose: () => void }) {
  const { folders } = useFolders();
  const change = useChangeFolder();
  const options = [
    ...(folder.parent_id === null ? [] : [{ value: TOP, label: "The top level" }]),
    ...targetsFor(folders, folder).map(({ id }) => ({ value: id, label: pathWords(folders, id) })),
  ];
  const move = (target: string) =>
    change.mutate(
      { do: "change", id: folder.id, values: { parent_id: target || null } },
      { onSuccess: onClose },
    );
  return (
    <MoveDialog
      title={`Move ${folder.name}`}
      options={options}
      initial={options[0]?.value ?? TOP}
      help={change.error ? sentence(change.error) : "The documents and folders in it move along."}
      nowhere="There is no other folder to move it to. Create one first."
      busy={change.isPending}
      onMove={move}
      onClose={onClose}
    />
  );
}

function DeleteDialog({
  folder,
  onClose,
  onDone,
}: {
  folder: Folder;
  onClose: () => void;
  onDone: () => void;
}) {
  const { folders } = useFolders();
  const change = useChangeFolder();
  const inside = folders.filter((one) => one.parent_id === folder.id).length;
  const isEmpty = folder.documents === 0 && inside === 0;
  const holds = [folder.documents && count(folder.documents, "document"), inside && count(inside, "folder")];
  const remove = () =>
    change.mutate(
      { do: "delete", id: folder.id },
      {
        onSuccess: () => {
          onClose();
          onDone();
        },
      },
    );
  return (
    <Dialog
      isOpen
      role="alertdialog"
      title={`Delete ${folder.name}?`}
      onClose={onClose}
      actions={
        isEmpty ? (
          <>
            <Button onClick={onClose}>Keep it</Button>
            <Button tone="danger" busy={change.isPending} onClick={remove}>
              Delete the folder
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>Close</Button>
        )
      }
    >
      {change.error ? (
        <p role="alert">{sentence(change.error)}</p>
      ) : isEmpty ? (
        <p>The folder is empty, so no document is lost.</p>
      ) : (
        <p>It still holds {holds.filter(Boolean).join(" and ")}. Move or delete what is in it first.</p>
      )}
    </Dialog>
  );
}
