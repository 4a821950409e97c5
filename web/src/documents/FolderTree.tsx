import { useState } from "react";
import { Button as AriaButton, Collection, Tree, TreeItem, TreeItemContent } from "react-aria-components";
import type { Folder } from "@/api/types";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import { Menu, type MenuEntry } from "@/ui/Menu";
import { type FolderDialog, FolderDialogs } from "./FolderDialogs";
import styles from "./FolderTree.module.css";
import { useFolders } from "./queries";
import { buildTree, type FolderNode, pathOf } from "./tree";
import { number } from "./words";

export type FolderProps = { current: string | null; onOpen: (folderId: string | null) => void };

const ALL = "all";

/** The folders as a tree that arrow keys walk; each has a menu of what can be done with it. */
export function FolderTree({ current, onOpen }: FolderProps) {
  const { folders } = useFolders();
  const [dialog, setDialog] = useState<FolderDialog | null>(null);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const above = pathOf(folders, current).slice(0, -1);
  const expanded = folders.filter(({ id }) => !closed.has(id) || above.some((one) => one.id === id));
  const row = (node: FolderNode) => (
    <FolderItem key={node.id} node={node} menu={folderMenu(node, setDialog)} render={row} />
  );
  return (
    <nav className={styles.nav} aria-label="Folders">
      <Tree
        aria-label="Folders"
        className={styles.tree}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        selectedKeys={[current ?? ALL]}
        expandedKeys={expanded.map(({ id }) => id)}
        onExpandedChange={(keys) =>
          setClosed(new Set(folders.map(({ id }) => id).filter((id) => !keys.has(id))))
        }
        onSelectionChange={(keys) => {
          const [key] = keys === "all" ? [] : [...keys];
          onOpen(key === ALL || key === undefined ? null : String(key));
        }}
      >
        <TreeItem id={ALL} textValue="All documents" className={styles.row}>
          <TreeItemContent>
            <span className={classes(styles.cell, styles.all)}>
              <span className={styles.icon}>
                <Icon name="documents" />
              </span>
              <span className={styles.name}>All documents</span>
            </span>
          </TreeItemContent>
        </TreeItem>
        {buildTree(folders).map(row)}
      </Tree>
      <Button small tone="quiet" icon="plus" onClick={() => setDialog({ kind: "create", parent: null })}>
        New folder
      </Button>
      <FolderDialogs dialog={dialog} onClose={() => setDialog(null)} onOpen={onOpen} current={current} />
    </nav>
  );
}

type FolderItemProps = {
  node: FolderNode;
  menu: MenuEntry[];
  render: (node: FolderNode) => React.ReactElement;
};

function FolderItem({ node, menu, render }: FolderItemProps) {
  return (
    <TreeItem id={node.id} textValue={node.name} className={styles.row}>
      <TreeItemContent>
        {({ hasChildItems, level }) => (
          <span className={styles.cell} style={{ paddingInlineStart: `${(level - 1) * 14}px` }}>
            {hasChildItems ? (
              <AriaButton slot="chevron" className={styles.chevron}>
                <Icon name="chevron" size={14} />
              </AriaButton>
            ) : (
              <span className={styles.leaf} />
            )}
            <span className={styles.icon}>
              <Icon name="folder" />
            </span>
            <span className={styles.name}>{node.name}</span>
            <span className={styles.amount}>{number(node.documents)}</span>
            <Menu label={`Actions for ${node.name}`} items={menu} className={styles.menu} />
          </span>
        )}
      </TreeItemContent>
      <Collection items={node.children}>{render}</Collection>
    </TreeItem>
  );
}

/** What can be done with a folder, for its row in the tree and beside the select. */
export function folderMenu(folder: Folder, open: (dialog: FolderDialog) => void): MenuEntry[] {
  return [
    {
      id: "create",
      label: "New folder in it",
      icon: "plus",
      onAction: () => open({ kind: "create", parent: folder }),
    },
    { id: "rename", label: "Rename", icon: "pencil", onAction: () => open({ kind: "rename", folder }) },
    { id: "move", label: "Move", icon: "folder", onAction: () => open({ kind: "move", folder }) },
    {
      id: "delete",
      label: "Delete",
      icon: "trash",
      danger: true,
      onAction: () => open({ kind: "delete", folder }),
    },
  ];
}
