import { describe, expect, it } from "vitest";
import { ApiError, fieldErrors, query, sentence, toError } from "./client";

describe("toError", () => {
  it("keeps the server's sentence and request id", () => {
    const body = JSON.stringify({ error: { code: "not_found", message: "It is gone.", request_id: "r1" } });
    expect(toError(404, body)).toMatchObject({
      status: 404,
      code: "not_found",
      message: "It is gone.",
      requestId: "r1",
    });
  });

  it("has a sentence of its own where there is none", () => {
    expect(toError(502, "<html>Bad Gateway</html>").code).toBe("unreachable");
    expect(toError(500, "").message).toContain("500");
    expect(sentence(new Error("x is undefined"))).not.toContain("undefined");
  });
});

it("reads what is wrong with single fields", () => {
  expect(fieldErrors(new ApiError("", 422, "invalid", null, { fields: { email: "Taken." } }))).toEqual({
    email: "Taken.",
  });
  expect(fieldErrors(new Error())).toEqual({});
});

it("builds queries without empty values", () => {
  expect(query({ q: "a b", folder_id: null, cursor: undefined, limit: 0 })).toBe("?q=a+b&limit=0");
  expect(query({ q: "" })).toBe("");
});
