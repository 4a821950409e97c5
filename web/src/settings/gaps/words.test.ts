import { expect, it } from "vitest";
import { countWords, timesWords } from "./words";

it("says how many questions wait, and how often one was asked", () => {
  expect(countWords(0)).toBe("No question waits for a document.");
  expect(countWords(1)).toBe("1 question waits for a document.");
  expect(countWords(7)).toBe("7 questions wait for a document.");
  expect(timesWords({ times: 1, asked_at: "2026-05-05T12:00:00Z" })).toBe("asked once, last on 5 May");
  expect(timesWords({ times: 4, asked_at: "2026-05-05T12:00:00Z" })).toBe("asked 4 times, last on 5 May");
});
