import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import type { Source } from "@/api/types";
import { toMarks } from "./context";
import { Markdown } from "./Markdown";

const source = (n: number): Source => ({
  n,
  document_id: "d",
  chunk_id: `c${n}`,
  version: 1,
  name: "zebra.pdf",
  title: null,
  page_start: n,
  page_end: n,
  heading_path: [],
});
const draw = (text: string, unsupported: string[] = []) =>
  renderToStaticMarkup(
    <Markdown text={text} marks={toMarks([source(1), source(2)], unsupported)} streaming={false} />,
  );

describe("Markdown", () => {
  it("draws marks for sources only, and none inside code  # M2", () => {
    const html = draw("It rose [1][99]. `a[1]`\n\n```\nb[2]\n```");
    expect(html.match(/data-n=/g)).toHaveLength(1);
    expect(html).toContain("[99]");
    expect(html).toContain("b[2]");
  });

  it("names what a mark leads to", () => {
    expect(draw("It rose [2].")).toContain('aria-label="Source 2: zebra.pdf, p. 2"');
  });

  it("shows no raw HTML, no picture and no javascript: link  # X13", () => {
    const html = draw(
      "<img src=x onerror=alert(1)> ![p](https://e.org/x.png) [a](javascript:alert(1)) <b>b</b>",
    );
    expect(html).not.toMatch(/<img|<b>|javascript:|https:\/\/e\.org/);
    expect(html).toContain("&lt;b&gt;");
  });

  it("shows text as it was written, entities and escapes included", () => {
    expect(draw("R&D \\*not bold\\* 1 < 2")).toContain("R&amp;D *not bold* 1 &lt; 2");
  });

  it("marks a sentence whose passage does not say it  # M7", () => {
    expect(
      draw("It rose [1]. It fell [2].", ["It fell [2]."]).match(/Not found in the passage/g),
    ).toHaveLength(1);
  });

  it("draws lists, tables and nested emphasis", () => {
    const html = draw("- a **b [1]**\n  - c\n\n| x | y |\n|--|--:|\n| 1 | 2 [2] |");
    expect(html).toContain("<ul><li>");
    expect(html).toContain("text-align:right");
    expect(html.match(/data-n=/g)).toHaveLength(2);
  });
});
