import { describe, expect, it } from "vitest";
import { readFilter, readSort, writeFilter, writeSort } from "./view";

describe("the list in the address", () => {
  it("leaves out defaults and comes back whole", () => {
    const plain = readFilter(new URLSearchParams());
    expect(writeFilter(plain)).toBe("");
    const filter = { folder_id: "f1", status: "failed", q: "a & b", sort: "name" };
    expect(readFilter(new URLSearchParams(writeFilter(filter)))).toEqual(filter);
  });

  it("reads and writes the order", () => {
    expect(readSort("-pages")).toEqual({ column: "pages", direction: "descending" });
    expect(writeSort(readSort("name"))).toBe("name");
    expect(writeSort(readSort("-created_at"))).toBe("-created_at");
  });
});
