import { describe, expect, it } from "vitest";
import { claimsNothing, firstWords, isWeb, markOf, pageOf, seconds, withoutHeading } from "./words";

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

it("leaves out the heading that a passage begins with, unless that is all of it", () => {
  const source = { heading_path: ["Guide", "Winch"] };
  expect(withoutHeading("Winch\n\nIt weighs 310 kg.", source)).toBe("It weighs 310 kg.");
  expect(withoutHeading("Winch", source)).toBe("Winch");
  expect(withoutHeading("It weighs 310 kg.", source)).toBe("It weighs 310 kg.");
});

it("knows answers that claim nothing: greetings, files handed over  # M5", () => {
  expect(claimsNothing({ state: "general", reasons: ["small_talk"], unsupported: [] })).toBe(true);
  expect(claimsNothing({ state: "general", reasons: ["send"], unsupported: [] })).toBe(true);
  expect(claimsNothing({ state: "general", reasons: ["not_from_documents"], unsupported: [] })).toBe(false);
});

it("marks help and a declined subject as what they are, not as answers without documents  # D9, L12", () => {
  const general = { state: "general" as const, unsupported: [] };
  expect(markOf({ ...general, reasons: ["crisis"] }, "crisis")).toBe("crisis");
  expect(markOf({ ...general, reasons: [] }, "declined")).toBe("declined");
  expect(markOf({ ...general, reasons: ["advisory"] }, "answer")).toBe("general");
});

it("tells pages of the web from documents  # L9", () => {
  expect(isWeb({ document_id: null, url: "https://zzyzx.example/a" })).toBe(true);
  expect(isWeb({ document_id: "d", url: null })).toBe(false);
});

describe("short forms", () => {
  it("names pages and times", () => {
    expect(pageOf({ page_start: 3, page_end: 3 })).toBe("p. 3");
    expect(pageOf({ page_start: 3, page_end: 5 })).toBe("pp. 3–5");
    expect(pageOf({ page_start: null, page_end: null })).toBeNull();
    expect([seconds(412), seconds(12_400)]).toEqual(["0.4 s", "12 s"]);
  });
});
