import { describe, expect, it } from "vitest";
import { bodyOf, filterCount, readAsked, withoutFilters, writeAsked } from "./asked";

const FULL =
  "q=pump+seal&k=12&folder=f1&type=manual&file=application%2Fpdf&language=de&topic=pumps&since=2026-01-02&document=d1&document=d2";

describe("a search in the address", () => {
  it("comes back as it went in", () => {
    expect(writeAsked(readAsked(new URLSearchParams(FULL))).toString()).toBe(FULL);
    expect(writeAsked(readAsked(new URLSearchParams("")))).toEqual(new URLSearchParams());
  });

  it("ignores what cannot be meant", () => {
    const asked = readAsked(new URLSearchParams("k=900&since=yesterday&q=%20"));
    expect([asked.k, asked.since, asked.query]).toEqual([8, null, ""]);
  });

  it("counts and removes filters, and keeps the query", () => {
    const asked = readAsked(new URLSearchParams(FULL));
    expect(filterCount(asked)).toBe(8);
    expect(writeAsked(withoutFilters(asked)).toString()).toBe("q=pump+seal&k=12");
  });

  it("says whose days they are, only where there are days", () => {
    const asked = readAsked(new URLSearchParams(FULL));
    expect(bodyOf(asked).filters).toHaveProperty("time_zone");
    expect(bodyOf(withoutFilters(asked)).filters).not.toHaveProperty("time_zone");
  });
});
