import { describe, expect, it } from "vitest";
import {
  bytes,
  day,
  problemOf,
  ranges,
  receiptWords,
  seconds,
  stageWords,
  statusWords,
  typeWords,
  when,
} from "./words";

describe("words for documents", () => {
  it("says what is being done and how far it is", () => {
    expect(stageWords("parsing", { done: 12, total: 73, unit: "pages" })).toBe("Reading, page 12 of 73");
    expect(stageWords("embedding", { done: 40, total: 1200, unit: "chunks" })).toBe(
      "Making it searchable, passage 40 of 1,200",
    );
    expect(stageWords("parsing", null)).toBe("Reading");
    expect(stageWords("queued", { done: 0, total: 3, unit: "pages" })).toBe("Waiting its turn");
    expect(stageWords(null, null)).toBe("Waiting its turn");
  });

  it("tells kinds, days and pages as people do", () => {
    expect(["web_page", "invoice"].map(typeWords)).toEqual(["Web page", "Invoice"]);
    expect(day("2020-05-05")).toBe("5 May 2020");
    expect([[], [4], [1, 2, 3, 7, 9, 10]].map(ranges)).toEqual(["", "4", "1–3, 7, 9–10"]);
  });

  it("does not hide a state it does not know", () => {
    expect(statusWords("archived")).toEqual({ label: "archived", tone: "quiet" });
  });

  it("writes sizes and durations", () => {
    expect([0, 1, 840_000, 2_516_582, 26_214_400].map(bytes)).toEqual([
      "0 bytes",
      "1 byte",
      "820 KB",
      "2.4 MB",
      "25 MB",
    ]);
    expect([0.42, 12.4, 185].map(seconds)).toEqual(["0.4 s", "12 s", "3 min 5 s"]);
  });

  it("writes days as a person would", () => {
    const now = new Date(2025, 2, 12, 18, 0);
    expect(when(new Date(2025, 2, 12, 14, 5).toISOString(), now)).toBe("today 14:05");
    expect(when(new Date(2025, 2, 11, 9, 0).toISOString(), now)).toBe("yesterday");
    expect(when(new Date(2025, 0, 3).toISOString(), now)).toBe("3 Jan");
    expect(when(new Date(2023, 0, 3).toISOString(), now)).toBe("3 Jan 2023");
  });

  it("says why a document is not ready and what to do  # E6 E10", () => {
    const base = { status: "completed", pages: 3, error: null, warnings: [] };
    expect(problemOf(base)).toBeNull();
    expect(
      problemOf({ ...base, status: "failed", error: { message: "Locked.", hint: "Unlock it." } }),
    ).toEqual({
      reason: "Locked.",
      hint: "Unlock it.",
    });
    expect(problemOf({ ...base, status: "needs_ocr", pages: 1 })?.reason).toContain("Its page is a picture");
    const warnings = [
      { message: "It is a picture.", page: 7 },
      { message: "So is this.", page: 9 },
    ];
    expect(problemOf({ ...base, status: "partial", warnings })).toEqual({
      reason: "Page 7: It is a picture.",
      hint: "And 1 more remark on its page.",
    });
  });

  it("gives the receipt of a deletion  # E12", () => {
    const one = { name: "report.pdf", deleted: { chunks: 42, vectors: 42, blobs: 1, blocks: 90, jobs: 0 } };
    expect(receiptWords([one])).toBe("Deleted report.pdf: 42 passages, 42 vectors, 1 file");
    expect(receiptWords([one, { name: "a.txt", deleted: { chunks: 1, vectors: 1, blobs: 1 } }])).toBe(
      "Deleted 2 documents: 43 passages, 43 vectors, 2 files",
    );
  });
});
