import { describe, expect, it } from "vitest";
import type { Source } from "@/api/types";
import { byFile, citedNumbers } from "./cited";

const source = (n: number, document_id: string): Source => ({
  n,
  document_id,
  chunk_id: `c${n}`,
  version: 1,
  name: `${document_id}.pdf`,
  title: null,
  page_start: null,
  page_end: null,
  heading_path: [],
});
const SOURCES = [source(1, "a"), source(2, "b"), source(3, "a")];

describe("sources under an answer  # M3", () => {
  it("are those cited outside code", () => {
    expect([...citedNumbers("It rose [3], [1, 9]. `x[2]`\n```\ny[2]\n```", SOURCES)]).toEqual([3, 1]);
  });

  it("are grouped per file, each keeping its number", () => {
    expect(byFile(SOURCES).map((file) => [file.name, file.sources.map((one) => one.n)])).toEqual([
      ["a.pdf", [1, 3]],
      ["b.pdf", [2]],
    ]);
  });
});
