import { describe, expect, it } from "vitest";
import { firstWords, pageOf, seconds } from "./words";

describe("firstWords", () => {
  it("cuts between words", () => {
    expect(firstWords("one two three four", 12)).toBe("one two…");
    expect(firstWords("short\n\n text")).toBe("short text");
  });

  it("reads tables as words", () => {
    expect(firstWords("Sales\n\n|  | Year | Year | Total |\n|---|---|---|---|\n| a | 1 | 2 |")).toBe(
      "Sales Year · Total a · 1 · 2",
    );
  });
});

describe("short forms", () => {
  it("names pages and times", () => {
    expect(pageOf({ page_start: 3, page_end: 3 })).toBe("p. 3");
    expect(pageOf({ page_start: 3, page_end: 5 })).toBe("pp. 3–5");
    expect(pageOf({ page_start: null, page_end: null })).toBeNull();
    expect([seconds(412), seconds(12_400)]).toEqual(["0.4 s", "12 s"]);
  });
});
