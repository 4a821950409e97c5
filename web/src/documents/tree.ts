/** Folders as a tree: nesting, paths, and where a folder may be moved. */

import type { Folder } from "@/api/types";

export interface FolderNode extends Folder {
  children: FolderNode[];
}

/** Nested and sorted by name; a folder whose parent cannot be seen stands at the top. */
export function buildTree(folders: readonly Folder[]): FolderNode[] {
  const nodes = new Map(folders.map((folder) => [folder.id, { ...folder, children: [] as FolderNode[] }]));
  const roots: FolderNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.parent_id ? nodes.get(node.parent_id) : undefined;
    (parent ? parent.children : roots).push(node);
  }
  const sort = (list: FolderNode[]) => {
    list.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    for (const node of list) sort(node.children);
  };
  sort(roots);
  return roots;
}

/** From the top to the folder itself. Empty for an unknown one. */
export function pathOf(folders: readonly Folder[], id: string | null): Folder[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const path: Folder[] = [];
  let current = id ? byId.get(id) : undefined;
  while (current && !path.includes(current)) {
    path.unshift(current);
    current = current.parent_id ? byId.get(current.parent_id) : undefined;
  }
  return path;
}

/** "Reports / 2024": how a folder is called where the tree is not in sight. */
export function pathWords(folders: readonly Folder[], id: string | null): string {
  const path = pathOf(folders, id);
  return path.length === 0 ? "All documents" : path.map((folder) => folder.name).join(" / ");
}

/** Folders that `moving` may go into: neither itself nor anything below it, nor where it is already. */
export function targetsFor(folders: readonly Folder[], moving: Folder): Folder[] {
  return folders.filter(
    (folder) =>
      folder.id !== moving.parent_id && !pathOf(folders, folder.id).some((above) => above.id === moving.id),
  );
}
