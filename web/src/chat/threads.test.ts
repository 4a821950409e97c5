import { expect, it } from "vitest";
import { byDay } from "./threads";

const NOW = new Date(2026, 10, 30, 9, 0);
const thread = (id: string, date: Date) => ({
  id,
  title: id,
  created_at: date.toISOString(),
  updated_at: date.toISOString(),
});

it("groups threads by the reader's days, newest first", () => {
  const days = byDay(
    [
      thread("a", new Date(2026, 10, 30, 0, 5)),
      thread("b", new Date(2026, 10, 29, 23, 55)),
      thread("c", new Date(2026, 10, 26)),
      thread("d", new Date(2026, 10, 2)),
      thread("e", new Date(2026, 10, 1)),
      thread("f", new Date(2025, 3, 1)),
    ],
    NOW,
    "en",
  );
  expect(days.map((day) => [day.label, day.threads.length])).toEqual([
    ["Today", 1],
    ["Yesterday", 1],
    ["Thursday", 1],
    ["November", 2],
    ["April 2025", 1],
  ]);
});
