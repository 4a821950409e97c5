import { describe, expect, it } from "vitest";
import { extension, pasteName, refusal } from "./checks";

const limits = { max_upload_bytes: 25 * 1024 * 1024, accepted: [".pdf", ".docx", ".txt"] };

describe("checks before an upload", () => {
  it("lets good files pass, whatever the case of their ending", () => {
    expect(refusal({ name: "Report.PDF", size: 10 }, limits)).toBeNull();
    expect(refusal({ name: "exactly.pdf", size: limits.max_upload_bytes }, limits)).toBeNull();
  });

  it("explains what is wrong  # E2 E3", () => {
    expect(refusal({ name: "a.pdf", size: 0 }, limits)).toBe(
      "a.pdf is empty (0 bytes). Check the file and add it again.",
    );
    expect(refusal({ name: "a.exe", size: 9 }, limits)).toBe(
      "a.exe was not added: .exe files cannot be read. Accepted are PDF, Word and text.",
    );
    expect(refusal({ name: "README", size: 9 }, limits)).toContain("files without an ending cannot be read");
    expect(refusal({ name: "big.pdf", size: 30 * 1024 * 1024 }, limits)).toBe(
      "big.pdf has 30 MB; the limit is 25 MB. Split it and add the parts.",
    );
  });

  it("reads endings", () => {
    expect([".gitignore", "a.tar.GZ", "x."].map(extension)).toEqual(["", ".gz", "."]);
  });

  it("names pasted text after its first line", () => {
    expect(pasteName("\n## Minutes: 3/4 March\nmore")).toBe("Minutes 3 4 March.txt");
    expect(pasteName("   ")).toBe("Pasted text.txt");
    expect(pasteName(`${"word ".repeat(30)}`).length).toBeLessThanOrEqual(64);
    expect(pasteName("../../etc/passwd")).not.toContain("/");
  });
});
