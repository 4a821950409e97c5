import { describe, expect, it } from "vitest";
import {
  excerpt,
  figureColumns,
  groupBlocks,
  isFigure,
  markBlocks,
  markedRows,
  parseTable,
  partsOf,
  placePassage,
  type SourceBlock,
  spansOf,
} from "./blocks";

const block = (ordinal: number, kind: string, text: string): SourceBlock => ({
  ordinal,
  kind,
  text,
  level: 0,
  bbox: null,
});

describe("blocks", () => {
  it("groups neighbouring list items", () => {
    const pieces = groupBlocks([
      block(0, "heading", "A"),
      block(1, "list_item", "one"),
      block(2, "list_item", "two"),
      block(3, "paragraph", "B"),
      block(4, "list_item", "three"),
    ]);
    expect(pieces.map((piece) => piece.type)).toEqual(["block", "list", "block", "list"]);
    expect(pieces.map((piece) => piece.key)).toEqual([0, 1, 3, 4]);
  });

  it("reads tables with and without a rule, ragged rows and escaped bars", () => {
    expect(parseTable("| a | b |\n|---|---|\n| 1 | 2 |")).toEqual({ head: [["a", "b"]], body: [["1", "2"]] });
    expect(parseTable("| a | b |\n| 1 |")).toEqual({ head: [["a", "b"]], body: [["1", ""]] });
    expect(parseTable("| x \\| y | b |\n| 1 | 2 |").head).toEqual([["x | y", "b"]]);
  });

  it("keeps a row of lone dashes in a cell as data", () => {
    expect(parseTable("| a | b |\n| - | 2 |").body).toEqual([["-", "2"]]);
  });

  it("knows a figure", () => {
    expect(["3,611", "(12.4)", "$ 9", "4.5 %", "–"].map(isFigure)).toEqual([true, true, true, true, true]);
    expect(["2023 Q4", "n/a", ""].map(isFigure)).toEqual([false, false, false]);
  });

  it("tells tables from paragraphs in a passage, and shortens both", () => {
    const text = "Hours\n\n| Day | Seats |\n|---|---|\n| Mon | 42 |\n\nAsk | anybody.";
    expect(partsOf(text).map((part) => part.isTable)).toEqual([false, true, false]);
    expect(excerpt(text)).toBe("Hours\nDay · Seats\nMon · 42\nAsk | anybody.");
  });

  it("aligns a column by what most of its cells are", () => {
    const table = parseTable(
      "| Day | Seats | Note |\n|---|---|---|\n| Mon | 42 | |\n| Tue | n/a | |\n| Wed | 18 | |",
    );
    expect(figureColumns(table)).toEqual([false, true, false]);
  });

  it("marks only the part of a long block that the passage holds", () => {
    const blocks = [
      block(7, "paragraph", "First sentence stays plain. The second sentence is quoted here."),
      block(8, "paragraph", "Third one too."),
    ];
    const marks = markBlocks(blocks, "The second sentence is quoted here.\n\nThird one too.");
    expect(spansOf(blocks[0]?.text ?? "", marks.get(7) ?? null)).toEqual([
      { text: "First sentence stays plain. ", marked: false },
      { text: "The second sentence is quoted here.", marked: true },
    ]);
    expect(spansOf("Third one too.", marks.get(8) ?? null)).toEqual([
      { text: "Third one too.", marked: true },
    ]);
  });

  it("marks the rows of a table that the passage holds", () => {
    const text = "| Place | Sales |\n|---|---|\n| Northern region | 1,200 |\n| Southern region | 3,400 |";
    const marks = markBlocks([block(1, "table", text)], "| Place | Sales |\n| Southern region | 3,400 |");
    expect(markedRows(text, marks.get(1) ?? null)).toEqual([false, false, true]);
    expect(markedRows(text, null)).toEqual([true, true, true]);
  });

  it("marks whole blocks when the words cannot be found", () => {
    expect(
      markBlocks([block(1, "paragraph", "Something else entirely, really")], "Nothing alike whatsoever").get(
        1,
      ),
    ).toBeNull();
    expect(spansOf("abc", null)).toEqual([{ text: "abc", marked: true }]);
  });

  it("shows neighbouring gaps as one  # D17", () => {
    const kinds = ["hidden", "hidden", "paragraph", "hidden"];
    const pieces = groupBlocks(kinds.map((kind, ordinal) => block(ordinal, kind, "")));
    expect(pieces.map((piece) => piece.key)).toEqual([0, 2, 3]);
  });

  it("puts the words of a passage where its block is hidden  # M7, D17", () => {
    const page = [block(0, "paragraph", "Before."), block(1, "hidden", ""), block(2, "paragraph", "After.")];
    const passage = { block_start: 1, block_end: 1, text: "Nine metres.\n\n| a | b |\n| 1 | 2 |" };
    const { shown, own } = placePassage(page, passage);
    expect(shown.map(({ kind, text }) => text || kind)).toEqual([
      "Before.",
      "hidden",
      "Nine metres.",
      "| a | b |\n| 1 | 2 |",
      "After.",
    ]);
    expect(own.map(({ kind }) => kind)).toEqual(["paragraph", "table"]);
    expect(new Set(shown.map(({ ordinal }) => ordinal)).size).toBe(shown.length);
  });

  it("leaves a page alone whose passage is whole, or elsewhere", () => {
    const page = [block(0, "hidden", ""), block(1, "paragraph", "Nine metres.")];
    const own = (start: number | null) =>
      placePassage(page, { block_start: start, block_end: start, text: "Nine metres." });
    expect(own(1)).toEqual({ shown: page, own: [page[1]] });
    expect(own(7)).toEqual({ shown: page, own: [] });
    expect(own(null)).toEqual({ shown: page, own: [] });
  });
});
