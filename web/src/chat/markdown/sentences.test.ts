import type { Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { lexBlock } from "./blocks";
import { bindMarks, splitSentences, toSentences } from "./sentences";

const KNOWN = new Set([1, 2, 3]);
const read = (text: string) => {
  const [block] = lexBlock(text);
  return toSentences((block as Tokens.Paragraph).tokens, KNOWN).map(({ text, cites }) => [
    text.trim(),
    cites,
  ]);
};

describe("splitSentences", () => {
  it("cuts after an end mark, not inside numbers or after abbreviations", () => {
    expect(splitSentences("It rose. It fell.")).toEqual(["It rose. ", "It fell."]);
    expect(splitSentences("It rose 3.5 % (cf. No. 5). Then it fell.")).toHaveLength(2);
    expect(splitSentences("Dr. Li and J. Smith agreed.")).toHaveLength(1);
    expect(splitSentences("上升了。下降了。")).toEqual(["上升了。", "下降了。", ""]);
  });
});

describe("toSentences", () => {
  it("gives each sentence its own sources", () => {
    expect(read("Sales rose [1]. Costs fell [2][3].")).toEqual([
      ["Sales rose.", [1]],
      ["Costs fell.", [2, 3]],
    ]);
  });

  it("gives a citation after the full stop to the sentence before it", () => {
    expect(read("Sales rose. [1] Costs fell. [2]")).toEqual([
      ["Sales rose.", [1]],
      ["Costs fell.", [2]],
    ]);
  });

  it("looks into emphasis, never into code", () => {
    expect(read("**Sales rose [1]** a lot.")).toEqual([["Sales rose [1] a lot.", [1]]]);
    expect(read("Use `a[1]` here.")).toEqual([["Use a[1] here.", []]]);
  });
});

describe("bindMarks", () => {
  it("keeps a word and its numbers together", () => {
    const text = (text: string) => ({ kind: "text" as const, text });
    const cite = (n: number) => ({ kind: "cite" as const, n });
    expect(bindMarks([text("in the year before"), cite(2), cite(3), text(".")])).toEqual([
      [text("in the year ")],
      [text("before"), cite(2), cite(3)],
      [text(".")],
    ]);
    expect(bindMarks([text("x".repeat(40)), cite(1)])).toHaveLength(2);
  });
});
