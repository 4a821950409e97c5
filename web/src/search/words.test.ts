import { describe, expect, it } from "vitest";
import { filterWords, gatedWords, moved, ordinal, ranksWords, timings } from "./words";

describe("words of a search", () => {
  it("names ranks from one", () => {
    expect(ranksWords({ dense: 1, keyword: 0, graph: null })).toBe("2nd by meaning, 1st by words");
    expect([11, 12, 13, 21, 22, 23, 101].map(ordinal)).toEqual([
      "11th",
      "12th",
      "13th",
      "21st",
      "22nd",
      "23rd",
      "101st",
    ]);
  });

  it("says what kept passages out, and nothing where nothing did", () => {
    expect(gatedWords({ use: 2, trust: 0, redaction: 1 })).toBe("2 kept for style, 1 with protected words");
    expect(gatedWords({ use: 0, trust: 0, redaction: 0 })).toBeNull();
  });

  it("lists dropped filters", () => {
    expect(filterWords(["languages"])).toBe("the language");
    expect(filterWords(["types", "since", "until"])).toBe(
      "the kind of document, the first day and the last day",
    );
  });

  it("shows a move only where there was one", () => {
    expect(moved({ fused: 4, place: 1 })).toBe("+3");
    expect(moved({ fused: 1, place: 4 })).toBe("−3");
    expect(moved({ fused: 1, place: 1 })).toBe("");
    expect(moved({ fused: 1, place: null })).toBe("");
  });

  it("keeps stages in order and leaves none out", () => {
    expect(timings({ total: 9, dense: 2, embed: 3, new_stage: 1 }).map(({ label }) => label)).toEqual([
      "Query model",
      "Meaning",
      "Together",
      "new stage",
    ]);
  });
});
