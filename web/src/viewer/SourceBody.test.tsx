import { QueryClient, QueryClientProvider, type UseQueryResult } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Router } from "wouter";
import { ApiError } from "@/api/client";
import { keys } from "@/api/keys";
import type { DocumentPage, Passage } from "@/api/types";
import { SourceBody } from "./SourceBody";

const PASSAGE: Passage = {
  chunk_id: "c",
  document_id: "d",
  name: "dock.pdf",
  media_type: "application/pdf",
  version: 1,
  state: "current",
  text: "It is nine metres deep.",
  heading_path: [],
  page_start: 3,
  page_end: 3,
  block_start: 1,
  block_end: 1,
  viewer_page: 3,
  boxes: [],
};
const block = (ordinal: number, kind: string, text: string) => ({
  ordinal,
  kind,
  text,
  level: 0,
  bbox: null,
});
const PAGE: DocumentPage = {
  page: 3,
  pages: 4,
  width: 612,
  height: 792,
  blocks: [block(0, "hidden", ""), block(1, "paragraph", PASSAGE.text)],
};

function draw(passage: { data?: Passage; error?: Error }, isGuest: boolean): string {
  const client = new QueryClient();
  client.setQueryData([...keys.documentPage("d", 3), 1], PAGE);
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Router ssrPath="/guest/t">
        <SourceBody
          passage={passage as UseQueryResult<Passage>}
          isGuest={isGuest}
          onClose={() => undefined}
        />
      </Router>
    </QueryClientProvider>,
  );
}

const failed = (status: number) => ({ error: new ApiError("It did not work.", status, "code") });

describe("SourceBody", () => {
  it("shows a guest the text of a page, with its gaps, and no way to the file  # M7, D17", () => {
    const html = draw({ data: PASSAGE }, true);
    expect(html).toMatch(/<mark[^>]*>It is nine metres deep\.<\/mark>/);
    expect(html).toContain("A part of this page is not shown.");
    expect(html).toContain("Page 3");
    expect(html).not.toMatch(/href=|Download/);
  });

  it("opens the file to a member", () => {
    const html = draw({ data: PASSAGE }, false);
    expect(html).not.toContain("<mark");
    expect(html).toContain("/api/documents/d/original");
  });

  it("says what has become of a guest's source", () => {
    expect(draw(failed(404), true)).toContain("not shown to guests any more");
    expect(draw(failed(401), true)).toContain("Your visit has ended");
    expect(draw(failed(503), true)).toContain("Try again");
    expect(draw({}, true)).toContain("Loading the source");
  });
});
