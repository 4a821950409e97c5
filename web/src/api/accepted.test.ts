import { describe, expect, it } from "vitest";
import { acceptedWords } from "./accepted";

describe("what can be added", () => {
  it("names kinds, each once, whatever the order of the endings", () => {
    expect(acceptedWords([".html", ".docx", ".htm", ".pdf"])).toBe("PDF, Word and web pages");
    expect(acceptedWords([".py", ".ts", ".png"])).toBe("pictures and source code");
  });

  it("lets an ending of no known kind stand for itself", () => {
    expect(acceptedWords([".zzyzx"])).toBe("ZZYZX");
    expect(acceptedWords([])).toBe("");
  });
});
