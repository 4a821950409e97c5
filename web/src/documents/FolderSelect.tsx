import { useState } from "react";
import { IconButton } from "@/ui/IconButton";
import { Menu } from "@/ui/Menu";
import { Select } from "@/ui/Select";
import { type FolderDialog, FolderDialogs } from "./FolderDialogs";
import styles from "./FolderSelect.module.css";
import { type FolderProps, folderMenu } from "./FolderTree";
import { useFolders } from "./queries";
import { pathWords } from "./tree";

/** The folders where the tree has no room. */
export function FolderSelect({ current, onOpen }: FolderProps) {
  const { folders } = useFolders();
  const [dialog, setDialog] = useState<FolderDialog | null>(null);
  const folder = folders.find((one) => one.id === current);
  const options = folders
    .map(({ id }) => ({ value: id, label: pathWords(folders, id) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <div className={styles.bar}>
      <Select
        label="Folder"
        hideLabel
        className={styles.select}
        options={[{ value: "", label: "All documents" }, ...options]}
        value={current ?? ""}
        onChange={(id) => onOpen(id || null)}
      />
      {folder ? (
        <Menu label={`Actions for ${folder.name}`} items={folderMenu(folder, setDialog)} />
      ) : (
        <IconButton
          icon="plus"
          label="New folder"
          onClick={() => setDialog({ kind: "create", parent: null })}
        />
      )}
      <FolderDialogs dialog={dialog} onClose={() => setDialog(null)} onOpen={onOpen} current={current} />
    </div>
  );
}
