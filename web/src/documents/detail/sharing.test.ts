import { describe, expect, it } from "vitest";
import type { Access } from "@/api/types";
import { type Draft, nowWords, pending, whyWords } from "./sharing";

const PERSON = { id: "1", name: "Ada", email: "a@x.example", role: "owner", why: "owner" } as const;

function access(values: Partial<Access>): Access {
  return {
    document_id: "d",
    visibility: "private",
    use: "evidence",
    trust: 0,
    owner: { id: "1", name: "Ada" },
    own: true,
    guests: false,
    complete: true,
    people: [PERSON],
    ...values,
  };
}

describe("who sees it now", () => {
  it("says it in one sentence", () => {
    expect(nowWords(access({}))).toBe("Only you.");
    const two = [PERSON, { ...PERSON, id: "2", why: "shared" as const }];
    expect(nowWords(access({ visibility: "shared", people: two }))).toBe("You and 1 person whom you chose.");
    expect(nowWords(access({ visibility: "shared" }))).toBe("Only you.");
    expect(nowWords(access({ visibility: "workspace", people: two }))).toBe("Everyone here: 2 people.");
    expect(nowWords(access({ visibility: "public", people: two }))).toContain("guests");
    expect(nowWords(access({ visibility: "shared", own: false, people: two }))).toBe(
      "Ada chose you to see it.",
    );
  });

  it("says why, also for a reason of a newer server", () => {
    expect(whyWords("shared")).toBe("was chosen");
    expect(whyWords("zzyzx")).toBe("zzyzx");
  });
});

describe("a change of it", () => {
  const now: Draft = { visibility: "private", people: [] };

  it("is none where nothing differs", () => {
    expect(pending(now, now)).toBeNull();
    const shared: Draft = { visibility: "shared", people: ["1", "2"] };
    expect(pending(shared, { ...shared, people: ["2", "1"] })).toBeNull();
  });

  it("says on its button what will be", () => {
    expect(pending(now, { visibility: "workspace", people: [] })?.label).toBe("Show it to everyone here");
    expect(pending(now, { visibility: "shared", people: ["1", "2"] })?.label).toBe(
      "Show it to 2 people only",
    );
  });

  it("needs somebody to be chosen", () => {
    expect(pending(now, { visibility: "shared", people: [] })?.problem).toBe("Choose somebody first.");
  });
});
