import { describe, expect, it } from "vitest";
import { layoutNotes, type Wanted } from "./layout";

const overlaps = (wanted: Wanted[], tops: number[], gap: number) =>
  tops.some(
    (top, index) => index > 0 && top < (tops[index - 1] ?? 0) + (wanted[index - 1]?.height ?? 0) + gap - 0.01,
  );

describe("layoutNotes", () => {
  it("leaves notes with room where they want to be", () => {
    expect(
      layoutNotes(
        [
          { top: 10, height: 40 },
          { top: 200, height: 40 },
        ],
        8,
      ),
    ).toEqual([10, 200]);
  });

  it("spreads a crowd around where it wants to be", () => {
    const tops = layoutNotes(
      [
        { top: 100, height: 40 },
        { top: 100, height: 40 },
      ],
      8,
    );
    expect(tops).toEqual([76, 124]);
  });

  it("never goes above the first line", () => {
    expect(
      layoutNotes(
        [
          { top: 0, height: 60 },
          { top: 5, height: 60 },
        ],
        10,
      ),
    ).toEqual([0, 70]);
  });

  it("keeps order and never overlaps, whatever it is given", () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647;
    };
    for (let round = 0; round < 200; round++) {
      const wanted = Array.from({ length: 1 + Math.floor(random() * 12) }, () => ({
        top: Math.floor(random() * 600),
        height: 20 + Math.floor(random() * 90),
      })).sort((a, b) => a.top - b.top);
      expect(overlaps(wanted, layoutNotes(wanted, 8), 8)).toBe(false);
    }
  });
});
