import { describe, expect, it } from "vitest";
import type { ToolCall } from "@/api/types";
import { offeredQuery } from "./offer";
import { sentFiles } from "./sent";
import { sentOf } from "./sentbody";

const sending = (over: Partial<ToolCall> = {}): ToolCall => ({
  id: "1",
  name: "send_document",
  state: "done",
  result: { document_id: "d", name: "cv.pdf", url: "/api/documents/d/original" },
  ...over,
});

describe("sentFiles", () => {
  it("shows each file that was handed over once  # L5", () => {
    expect(sentFiles([sending(), sending({ id: "2" })])).toEqual([
      { documentId: "d", name: "cv.pdf", url: "/api/documents/d/original" },
    ]);
  });

  it("shows none where none was found, and never an address elsewhere  # L6, X13", () => {
    expect(sentFiles([sending({ state: "failed", result: { code: "no_such_document" } })])).toEqual([]);
    const elsewhere = { document_id: "d", name: "cv.pdf", url: "https://zzyzx.example/cv.pdf" };
    expect(sentFiles([sending({ result: elsewhere })])).toEqual([]);
  });
});

describe("offeredQuery", () => {
  it("reads the words of a web search from the end of an answer", () => {
    const text = "I found nothing.\n\nShall I search the web for “height of the Zugspitze”?";
    expect(offeredQuery(text)).toBe("height of the Zugspitze");
    expect(offeredQuery(`${text} No.`)).toBeNull();
    expect(offeredQuery("Shall I summarise it?")).toBeNull();
  });
});

describe("sentOf", () => {
  it("puts a request into parts for people, tool calls among them", () => {
    const call = { id: "1", function: { name: "search_documents", arguments: '{"query":"winch"}' } };
    const body = {
      model: "m",
      messages: [
        { role: "system", content: "Answer." },
        { role: "user", content: [{ type: "text", text: "How heavy?" }] },
        { role: "assistant", content: null, tool_calls: [call] },
      ],
      tools: [{ type: "function", function: { name: "search_documents" } }],
    };
    expect(sentOf(body)).toEqual({
      model: "m",
      parts: [
        { role: "system", label: "Instructions", text: "Answer." },
        { role: "user", label: "You", text: "How heavy?" },
        { role: "assistant", label: "The model", text: '→ search_documents {"query":"winch"}' },
      ],
      tools: ["search_documents"],
    });
  });

  it("survives a body that could not be kept whole", () => {
    expect(sentOf(null)).toEqual({ model: null, parts: [], tools: [] });
  });
});
