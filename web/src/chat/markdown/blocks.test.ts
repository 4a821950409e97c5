import { describe, expect, it } from "vitest";
import { lexBlock, settle, splitBlocks } from "./blocks";

describe("splitBlocks", () => {
  it("keeps earlier blocks identical while the last one grows", () => {
    const text = "# Sales\n\nThey rose [1].\n\n- one\n- two\n\nThe e";
    expect(splitBlocks(`${text}nd.`).slice(0, -1)).toEqual(splitBlocks(text).slice(0, -1));
    expect(splitBlocks(text)).toEqual(["# Sales", "They rose [1].", "- one\n- two", "The e"]);
  });

  it("keeps a table and a fence whole", () => {
    expect(splitBlocks("| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx\n\ny\n```")).toHaveLength(2);
  });
});

describe("lexBlock", () => {
  it("does not read [1][2] as a link", () => {
    const [paragraph] = lexBlock("It rose [1][2].");
    expect(paragraph?.type).toBe("paragraph");
    expect(JSON.stringify(paragraph)).not.toContain('"link"');
  });
});

describe("settle", () => {
  it("holds back a half citation", () => {
    expect(settle("It rose [")).toBe("It rose");
    expect(settle("It rose [1, ")).toBe("It rose");
    expect(settle("It rose [1]")).toBe("It rose [1]");
  });

  it("closes what is still open", () => {
    expect(settle("a **bold")).toBe("a **bold**");
    expect(settle("a `co")).toBe("a `co`");
    expect(settle("a **b** c")).toBe("a **b** c");
    expect(settle("one **x**\n\ntwo **y")).toBe("one **x**\n\ntwo **y**");
  });

  it("holds back the head of a table until its rule is there", () => {
    expect(settle("See:\n\n| a | b")).toBe("See:");
    expect(settle("See:\n\n| a | b |\n|---|--")).toBe("See:");
    expect(settle("See:\n\n| a | b |\n|---|---|\n| 1")).toContain("| 1");
  });

  it("leaves an open fence alone", () => {
    expect(settle("```py\na = b**c")).toBe("```py\na = b**c");
    expect(settle("```py\na\n\nb = c**d")).toBe("```py\na\n\nb = c**d");
  });
});
