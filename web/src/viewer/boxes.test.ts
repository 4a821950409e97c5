import { describe, expect, it } from "vitest";
import { bounds, boxToShare, isInside, joinLines } from "./boxes";

describe("boxes", () => {
  const page = { width: 600, height: 800 };

  it("scales points to shares of the page and stays on it", () => {
    expect(boxToShare([60, 80, 300, 160], page, 0)).toEqual({ left: 10, top: 10, width: 40, height: 10 });
    expect(boxToShare([-5, 790, 605, 820], page)).toEqual({ left: 0, top: 98.5, width: 100, height: 1.5 });
  });

  it("asks where the middle of a word lies", () => {
    expect(isInside([10, 10, 20, 20], [[0, 0, 100, 100]])).toBe(true);
    expect(isInside([90, 10, 130, 20], [[0, 0, 100, 100]])).toBe(false);
  });

  it("joins words of a line and keeps columns apart", () => {
    const word = (left: number, top: number) => ({ left, top, width: 30, height: 10 });
    expect(joinLines([word(34, 1), word(0, 0), word(200, 0), word(0, 14)], 8)).toEqual([
      { left: 0, top: 0, width: 64, height: 11 },
      { left: 200, top: 0, width: 30, height: 10 },
      { left: 0, top: 14, width: 30, height: 10 },
    ]);
  });

  it("bounds all of them", () => {
    expect(bounds([])).toBeNull();
    expect(
      bounds([
        { left: 5, top: 5, width: 5, height: 5 },
        { left: 0, top: 20, width: 2, height: 2 },
      ]),
    ).toEqual({ left: 0, top: 5, width: 10, height: 17 });
  });
});
