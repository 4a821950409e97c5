import { expect, it } from "vitest";
import { has, toggled } from "./reasons";

it("puts a ready-made reason in front of one's own words, and takes it out again", () => {
  const both = toggled("the sum is off", "Wrong");
  expect(both).toBe("Wrong · the sum is off");
  expect(has(both, "Wrong")).toBe(true);
  expect(has("Wrong source", "Wrong")).toBe(false);
  expect(toggled(both, "Wrong")).toBe("the sum is off");
});
