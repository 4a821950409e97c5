import { describe, expect, it } from "vitest";
import {
  alsoWords,
  byWords,
  kindWords,
  linkWords,
  passagesWords,
  placeWords,
  spelled,
  supportWords,
} from "./words";

describe("names in words", () => {
  it("says how well a name is known", () => {
    expect(supportWords({ support: 1 })).toBe("1 mention");
    expect(supportWords({ support: 1200 })).toBe("1,200 mentions");
    const passage = {
      chunk_id: "c",
      document_id: "d",
      document: "d.md",
      title: null,
      page_start: null,
      heading_path: [],
      text: "",
    };
    const two = [passage, { ...passage, chunk_id: "e", document_id: "f" }];
    expect(passagesWords({ support: 3, passages: two })).toBe("2 passages in 2 documents");
    expect(passagesWords({ support: 99, passages: Array(50).fill(passage) })).toBe("99 mentions");
    expect(passagesWords({ support: 2, passages: [] })).toBe("2 mentions");
    expect(spelled("qvx", { name: "Quillon Vex", aliases: ["QVX"] })).toBe("QVX");
    expect(spelled("ovx", { name: "Quillon Vex", aliases: ["QVX"] })).toBe("ovx");
    expect(kindWords("organisation")).toBe("Organisation");
    expect(kindWords("name")).toBe("");
  });

  it("shows a few of many other names", () => {
    expect(alsoWords([])).toBe("");
    expect(alsoWords(["AIS"])).toBe("also AIS");
    expect(alsoWords(["a", "b", "c", "d", "e"])).toBe("also a, b, c and 2 more");
  });

  it("reads a link from either side", () => {
    expect(linkWords("QVX", { kind: "hired", outgoing: true })).toEqual({ before: "QVX hired", after: "" });
    expect(linkWords("QVX", { kind: "works_for", outgoing: false })).toEqual({
      before: "",
      after: "works for QVX",
    });
  });

  it("says whose decision it was", () => {
    const one = {
      id: "1",
      kind: "merge" as const,
      source: "a",
      target: "b",
      for_all: true,
      made_by: "Ada",
      made_at: "2026-05-05T12:00:00Z",
      undone_at: null,
    };
    expect(byWords(one)).toBe("Decided by Ada, for everybody, on 5 May");
    expect(byWords({ ...one, made_by: null })).toContain("somebody who left");
    expect(byWords({ ...one, for_all: false, undone_at: "2026-05-06T12:00:00Z" })).toBe(
      "Decided by you, for yourself, on 5 May, taken back on 6 May",
    );
  });

  it("says where a passage stands", () => {
    expect(placeWords({ page_start: 3, heading_path: ["A"] })).toBe("page 3");
    expect(placeWords({ page_start: null, heading_path: ["A", "B"] })).toBe("B");
    expect(placeWords({ page_start: null, heading_path: [] })).toBe("");
  });
});
