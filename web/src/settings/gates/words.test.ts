import { describe, expect, it } from "vitest";
import { audienceWords, concerns, testWords } from "./words";

describe("rules in words", () => {
  it("counts what a rule would protect", () => {
    expect(testWords({ pieces: [{ text: "nothing", protected: false }] })).toBe(
      "Protects nothing in this text.",
    );
    const one = { text: "Anna", protected: true };
    expect(testWords({ pieces: [one] })).toContain("1 place ");
    expect(testWords({ pieces: [one, { text: " and ", protected: false }, one] })).toContain("2 places ");
  });

  it("names an audience, also one of a newer server", () => {
    expect(audienceWords("public").label).toBe("Guests");
    expect(audienceWords("zzyzx").label).toBe("zzyzx");
  });

  it("is found in the settings by its words", () => {
    expect(concerns("Wanted", "Questions without an answer.", "")).toBe(true);
    expect(concerns("Wanted", "Questions without an answer.", "answer questions")).toBe(true);
    expect(concerns("Wanted", "Questions without an answer.", "rerank")).toBe(false);
  });
});
