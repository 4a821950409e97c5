import { describe, expect, it } from "vitest";
import type { SettingField as Field } from "@/api/types";
import { changeWords, differs, edit, matches, problem, shown } from "./diff";

const field = (over: Partial<Field> = {}): Field => ({
  name: "chat.model",
  label: "Model",
  help: "The name the endpoint knows it by.",
  kind: "text",
  default: null,
  value: null,
  changed: false,
  ...over,
});

describe("settings diff", () => {
  it("forgets an edit that returns to what is stored", () => {
    const model = field({ value: "qwen", changed: true });
    const draft = edit({}, model, "llama");
    expect(draft).toEqual({ "chat.model": "llama" });
    expect(edit(draft, model, "qwen")).toEqual({});
    expect(edit({}, field(), "")).toEqual({});
  });

  it("resets to the default only what is not there already", () => {
    expect(edit({ "chat.model": "x" }, field({ value: "qwen", changed: true }), null)).toEqual({
      "chat.model": null,
    });
    expect(edit({ "chat.model": "x" }, field(), null)).toEqual({});
  });

  it("shows edits, defaults and never a secret", () => {
    const key = field({ name: "chat.key", kind: "secret", is_set: true });
    expect(shown({}, field({ value: "qwen" }))).toBe("qwen");
    expect(shown({ "chat.model": null }, field({ value: "qwen", default: "base" }))).toBe("base");
    expect(shown({}, { ...key, value: "sk-oops" })).toBe("");
    expect(edit({ "chat.key": "a" }, key, "")).toEqual({});
    expect(edit({}, key, null)).toEqual({ "chat.key": null });
  });

  it("says what will differ from the default", () => {
    expect(differs({}, field({ value: "q", changed: true }))).toBe(true);
    expect(differs({ "chat.model": null }, field({ value: "q", changed: true }))).toBe(false);
    expect(differs({ "chat.model": "q" }, field())).toBe(true);
    expect(differs({ "chat.model": "base" }, field({ default: "base", value: "q", changed: true }))).toBe(
      false,
    );
  });

  it("tells the change without telling the secret  # N3", () => {
    const key = field({ name: "chat.key", label: "Key", kind: "secret", is_set: true });
    expect(changeWords(key, { "chat.key": "sk-123" })).toBe("Key: replaced");
    expect(changeWords(key, { "chat.key": null })).toBe("Key: removed");
    expect(changeWords(field(), { "chat.model": "qwen" })).toBe("Model: qwen, was empty");
    const on = field({ label: "Rerank", kind: "boolean", value: true, default: false });
    expect(changeWords(on, { "chat.model": null })).toBe("Rerank: off (default), was on");
  });

  it("catches what the server would refuse", () => {
    const number = field({ kind: "number", min: 1, max: 20 });
    expect([0, 5, 21, "x"].map((value) => problem(number, value))).toEqual([
      "The least is 1.",
      null,
      "The most is 20.",
      "Enter a number.",
    ]);
    expect(problem(field({ kind: "url" }), "localhost:11434")).toContain("http://");
    expect(problem(field({ kind: "url" }), "http://localhost:11434/v1")).toBeNull();
  });

  it("searches by every word", () => {
    const section = { title: "Chat model", help: "Writes the answers." };
    expect(matches(field(), section, "chat name")).toBe(true);
    expect(matches(field(), section, "rerank")).toBe(false);
    expect(matches(field(), section, "")).toBe(true);
  });
});
