import { describe, expect, it } from "vitest";
import { splitCitations } from "./citations";

const KNOWN = new Set([1, 2, 3]);
const shape = (text: string) =>
  splitCitations(text, KNOWN).map((piece) => (piece.kind === "text" ? piece.text : piece.n));

describe("splitCitations", () => {
  it("takes single, adjacent and listed numbers", () => {
    expect(shape("It rose [1].")).toEqual(["It rose", 1, "."]);
    expect(shape("It rose[1][2].")).toEqual(["It rose", 1, 2, "."]);
    expect(shape("It rose [1, 3].")).toEqual(["It rose", 1, 3, "."]);
    expect(shape("It rose [2; 2].")).toEqual(["It rose", 2, "."]);
  });

  it("never makes a mark of a number that is no source  # M2", () => {
    expect(shape("It rose [99].")).toEqual(["It rose [99]."]);
    expect(shape("It rose [1, 99].")).toEqual(["It rose", 1, "."]);
  });

  it("leaves other brackets alone", () => {
    expect(shape("a[i] and [note] and [2023] and [1")).toEqual(["a[i] and [note] and [2023] and [1"]);
  });
});
