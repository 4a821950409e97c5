import { describe, expect, it } from "vitest";
import type { Document } from "@/api/types";
import { refusal, toAttachment } from "./attachments";

const LIMITS = { max_upload_bytes: 25 * 1024 * 1024, accepted: [".pdf", ".md"] };
const UPLOAD = { key: 1, name: "zebra.pdf", share: 1, documentId: "d", error: null };
const document = (over: Partial<Document>) =>
  ({ status: "processing", stage: "parsing", progress: null, ...over }) as Document;

describe("refusal", () => {
  it("names what is wrong before anything is sent", () => {
    expect(refusal({ name: "a.exe", size: 5 }, LIMITS)).toContain("It reads PDF and Markdown");
    expect(refusal({ name: "a.pdf", size: 0 }, LIMITS)).toContain("empty");
    expect(refusal({ name: "a.pdf", size: 26 * 1024 * 1024 }, LIMITS)).toContain("25 MB");
    expect(refusal({ name: "A.PDF", size: 5 }, LIMITS)).toBeNull();
  });
});

describe("toAttachment", () => {
  it("follows a document until it can be asked about  # Q2", () => {
    const progress = { done: 3, total: 14, unit: "pages" as const };
    expect(toAttachment(UPLOAD, document({ progress })).words).toBe("reading, page 3 of 14");
    expect(toAttachment(UPLOAD, document({ status: "completed" })).state).toBe("ready");
  });

  it("says why a file failed and what to do", () => {
    const error = { class: "encrypted", message: "It is locked.", hint: "Save a copy without the password." };
    expect(toAttachment(UPLOAD, document({ status: "failed", error }))).toMatchObject({
      state: "failed",
      words: "It is locked. Save a copy without the password.",
    });
  });
});
