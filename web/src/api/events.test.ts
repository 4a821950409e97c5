import { describe, expect, it } from "vitest";
import { affected } from "./events";
import { keys } from "./keys";

const read = (event: string, data = "{}", known = false) => affected(event, data, () => known);

describe("affected", () => {
  it("re-reads a document, and the lists when it is new to the page", () => {
    expect(read("document", '{"id":"d1","version":2}', true)).not.toContainEqual(keys.documents);
    expect(read("document", '{"id":"d1","version":2}')).toEqual(
      expect.arrayContaining([keys.document("d1"), keys.documents, keys.folders]),
    );
  });

  it("re-reads everything after a gap, and who answers after a change of settings", () => {
    expect(read("resync")).toEqual([[]]);
    expect(read("settings")).toEqual([keys.settings, keys.me]);
    expect(read("novel")).toEqual([]);
  });
});
