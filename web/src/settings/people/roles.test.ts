import { describe, expect, it } from "vitest";
import { mayChange, rolesToGive } from "./roles";

describe("roles", () => {
  it("lets nobody raise themselves or touch the owner", () => {
    expect(mayChange("owner", true, "owner")).toBe(false);
    expect(mayChange("admin", false, "owner")).toBe(false);
    expect(mayChange("admin", false, "admin")).toBe(false);
    expect(mayChange("admin", false, "reader")).toBe(true);
    expect(mayChange("owner", false, "admin")).toBe(true);
    expect(mayChange("member", false, "reader")).toBe(false);
  });

  it("hands out only lower roles", () => {
    expect(rolesToGive("admin").map(({ value }) => value)).toEqual(["member", "reader"]);
    expect(rolesToGive("owner").map(({ value }) => value)).toEqual(["admin", "member", "reader"]);
  });
});
