import { describe, expect, it } from "vitest";
import type { Folder } from "@/api/types";
import { buildTree, pathWords, targetsFor } from "./tree";

const folder = (id: string, name: string, parent_id: string | null = null): Folder => ({
  id,
  name,
  parent_id,
  documents: 0,
});
const folders = [
  folder("a", "Reports"),
  folder("b", "2024", "a"),
  folder("c", "Contracts"),
  folder("d", "Q10", "b"),
  folder("e", "Q2", "b"),
];

describe("folders", () => {
  it("nests and sorts as people count", () => {
    const tree = buildTree(folders);
    expect(tree.map((node) => node.name)).toEqual(["Contracts", "Reports"]);
    expect(tree[1]?.children[0]?.children.map((node) => node.name)).toEqual(["Q2", "Q10"]);
  });

  it("keeps a folder whose parent is out of sight", () => {
    expect(buildTree([folder("x", "Lost", "nowhere")]).map((node) => node.name)).toEqual(["Lost"]);
  });

  it("names a folder by its path", () => {
    expect(pathWords(folders, "d")).toBe("Reports / 2024 / Q10");
    expect(pathWords(folders, null)).toBe("All documents");
  });

  it("never offers to move a folder into itself", () => {
    expect(targetsFor(folders, folders[0] as Folder).map((one) => one.id)).toEqual(["c"]);
    expect(targetsFor(folders, folders[3] as Folder).map((one) => one.id)).toEqual(["a", "c", "e"]);
  });

  it("survives a circle", () => {
    expect(pathWords([folder("x", "X", "y"), folder("y", "Y", "x")], "x")).toBe("Y / X");
  });
});
