import { describe, expect, it } from "vitest";
import { matchPassage } from "./match";

const cut = (items: string[], passage: string) =>
  matchPassage(items, passage)?.map(({ item, start, end }) => (items[item] as string).slice(start, end));

describe("matchPassage", () => {
  it("finds a sentence over lines that were broken elsewhere", () => {
    const lines = [
      "Revenue grew by 4 %. Net sales for",
      "the quarter were 3,667 million dol-",
      "lars. Outlook follows.",
    ];
    expect(cut(lines, "Net sales for the quarter were 3,667 million dollars.")).toEqual([
      "Net sales for",
      "the quarter were 3,667 million dol",
      "lars",
    ]);
  });

  it("joins words that the file splits into runs, and ligatures", () => {
    expect(cut(["Net", "flix is a ", "proﬁtable", " firm"], "Netflix is a profitable firm")).toEqual([
      "Net",
      "flix is a",
      "proﬁtable",
      "firm",
    ]);
  });

  it("reads a table row through its Markdown bars", () => {
    const cells = ["Net sales", "$", "3,611", "$", "3,909"];
    expect(cut(cells, "| Net sales | 3,611 | 3,909 |")).toEqual(["Net sales", "3,611", "3,909"]);
  });

  it("leaves out a phrase that the passage repeats later", () => {
    const lines = [
      "Sales grew on a comparable constant currency basis, said the report. ",
      "These effects were offset by price. ",
      "Comparable constant currency growth",
    ];
    expect(cut(lines, "These effects were offset by price. Comparable constant currency growth")).toEqual([
      "These effects were offset by price",
      "Comparable constant currency growth",
    ]);
  });

  it("gives up when most of the text is something else", () => {
    expect(
      matchPassage(["A page about quite another subject altogether"], "Net sales for the quarter"),
    ).toBeNull();
    expect(matchPassage([], "Net sales")).toBeNull();
    expect(matchPassage(["Net sales"], "")).toBeNull();
  });

  it("works without spaces between words", () => {
    expect(
      cut(
        ["第二季度净销售额为三十六亿美元，同比", "下降百分之六。前景如下。"],
        "净销售额为三十六亿美元，同比下降百分之六",
      ),
    ).toEqual(["净销售额为三十六亿美元，同比", "下降百分之六"]);
  });
});
