import { describe, expect, it } from "vitest";
import type { ToolCall } from "@/api/types";
import { argumentsOf, countsOf, progressOf, summarise, toolName, toSteps } from "./trace";

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

describe("a sub-agent's steps", () => {
  const reading: ToolCall = {
    id: "a",
    name: "analyze_document",
    state: "progress",
    result: { done: 1, total: 3 },
  };
  const part = (window: number): ToolCall => ({
    id: `a.${window}`,
    name: "read_window",
    state: window === 1 ? "done" : "started",
    arguments: { window, document: "a.pdf", page_start: window, page_end: window + 1 },
    parent_id: "a",
    ms: 900,
  });
  const all = [reading, part(1), part(2)];

  it("hang under the step that set them to work  # B14", () => {
    const steps = toSteps(all);
    expect(steps).toHaveLength(1);
    expect(steps[0]?.inner.map((step) => toolName(step.tool))).toEqual([
      "Part 1, pages 1–2",
      "Part 2, pages 2–3",
    ]);
    expect(toSteps([part(1)])).toHaveLength(1); // of a parent that is not known
  });

  it("say how far it has come, and are not counted twice", () => {
    expect(summarise(all)).toBe("Reading a whole document, 1 of 3 parts read…");
    expect(progressOf(all)?.share).toBeCloseTo(1 / 3);
    const done = { ...reading, state: "done" as const, ms: 2000 };
    expect(summarise([done, part(1)])).toBe("Read a whole document, 2.0 s");
  });

  it("do not repeat in their facts what their name says", () => {
    expect(argumentsOf(part(1))).toEqual([{ name: "document", value: "a.pdf" }]);
  });
});
