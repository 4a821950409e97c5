import { describe, expect, it } from "vitest";
import type { ToolCall } from "@/api/types";
import { countsOf, summarise } from "./trace";

const search = (over: Partial<ToolCall> = {}): ToolCall => ({
  id: "1",
  name: "search_documents",
  state: "done",
  result: {
    passages: 8,
    documents: 3,
    counts: { rrf_candidates: 31, dense_results: 24, sparse_results: 17, graph_results: 0 },
    timings_ms: { dense: 37.3 },
  },
  ms: 412,
  ...over,
});

describe("summarise", () => {
  it("says what was done in one line", () => {
    expect(summarise([search()])).toBe("Searched 2 ways, read 8 passages, 0.4 s");
  });

  it("adds further searches up", () => {
    expect(summarise([search(), search({ id: "2", ms: 600 })])).toBe(
      "Searched 2 ways, read 16 passages, 1.0 s",
    );
  });

  it("says what is going on", () => {
    expect(summarise([search({ state: "started", result: undefined })])).toBe("Searching your documents…");
  });

  it("does not hide that nothing was found, nor a failure  # O3", () => {
    const none = search({ result: { passages: 0, counts: { dense_results: 0, sparse_results: 0 } }, ms: 80 });
    expect(summarise([none])).toBe("Searched your documents, read 0 passages, 0.1 s");
    expect(summarise([search({ state: "failed" })])).toContain("one step failed");
  });
});

describe("countsOf", () => {
  it("names the arms for people", () => {
    expect(countsOf(search()).slice(0, 2)).toEqual([
      { label: "by meaning", count: 24, ms: 37.3 },
      { label: "by words", count: 17, ms: null },
    ]);
  });
});
