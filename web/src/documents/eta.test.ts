import { describe, expect, it } from "vitest";
import { etaWords, secondsLeft, type Track, track } from "./eta";

const progress = (done: number) => ({ done, total: 100, unit: "pages" });

describe("time left", () => {
  it("waits until it can tell", () => {
    const start = track(undefined, "parsing", 0, 0);
    expect(secondsLeft(start, progress(0), 0)).toBeNull();
    expect(secondsLeft(track(start, "parsing", 5, 3000), progress(5), 3000)).toBeNull();
    expect(secondsLeft(track(start, "parsing", 50, 1000), progress(50), 1000)).toBeNull();
    expect(secondsLeft(undefined, progress(1), 0)).toBeNull();
  });

  it("extrapolates the pace and counts down between counts", () => {
    const known = track(track(undefined, "parsing", 0, 0), "parsing", 20, 4000);
    expect(secondsLeft(known, progress(20), 4000)).toBe(16);
    expect(secondsLeft(known, progress(20), 6000)).toBe(14);
    expect(secondsLeft(known, progress(20), 60_000)).toBe(0);
  });

  it("begins anew with a stage or after a restart", () => {
    const known: Track = { stage: "parsing", first: { at: 0, done: 0 }, last: { at: 9000, done: 90 } };
    expect(track(known, "embedding", 10, 9500).first).toEqual({ at: 9500, done: 10 });
    expect(track(known, "parsing", 0, 9500).first).toEqual({ at: 9500, done: 0 });
    expect(track(known, "parsing", 90, 9500)).toBe(known);
  });

  it("says it calmly", () => {
    expect([null, 2, 17, 58, 200].map(etaWords)).toEqual([
      "",
      "a few seconds left",
      "about 20 s left",
      "about 1 min left",
      "about 3 min left",
    ]);
  });
});
