import { describe, expect, it } from "vitest";
import type { Message } from "@/api/types";
import { newRun } from "./run";
import { toTurns } from "./turns";

const message = (
  id: string,
  role: Message["role"],
  content: string,
  parent_id: string | null = null,
): Message => ({
  id,
  parent_id,
  siblings: { index: 0, count: 1, ids: [id] },
  excluded: false,
  feedback: null,
  search_ids: [],
  role,
  kind: role === "user" ? "question" : "answer",
  content,
  sources: [],
  grounding: null,
  trace: [],
  model: null,
  finish: null,
  error: null,
  created_at: "2026-01-01T00:00:00Z",
  ms: null,
});
const PAIR = [message("1", "user", "How much?"), message("2", "assistant", "Much.", "1")];
const FOUR = [...PAIR, message("3", "user", "And then?", "2"), message("4", "assistant", "Less.", "3")];
const asking = (question: string, after?: string | null) => newRun("t", { question, after });
const texts = (turns: ReturnType<typeof toTurns>) =>
  turns.map(({ question, answer }) => [question?.text, answer?.text]);

describe("toTurns", () => {
  it("pairs questions with answers", () => {
    expect(texts(toTurns(PAIR))).toEqual([["How much?", "Much."]]);
  });

  it("shows a question just asked before the server has it", () => {
    const turns = toTurns(PAIR, asking("And then?"));
    expect(turns.map((turn) => turn.question?.text)).toEqual(["How much?", "And then?"]);
    expect(turns[1]?.answer?.streaming).toBe(true);
  });

  it("does not show the question twice once the server has it, nor after a reload", () => {
    const stored = [...PAIR, message("3", "user", "And then?", "2")];
    expect(toTurns(stored, asking("And then?"))).toHaveLength(2);
    expect(toTurns(stored, newRun("t", { runId: "run-1" }))).toHaveLength(2);
    expect(toTurns(stored, newRun("t", { runId: "run-1", after: "3" }))[1]?.answer?.streaming).toBe(true);
  });

  it("gives way to the stored answer when the run is over, keeping its thinking", () => {
    const run = {
      ...asking("How much?"),
      messageId: "2",
      status: "done" as const,
      text: "Mu",
      thinking: "Hm.",
    };
    const turns = toTurns(PAIR, run);
    expect(turns).toHaveLength(1);
    expect(turns[0]?.answer).toMatchObject({ text: "Much.", thinking: "Hm.", streaming: false });
  });

  it("puts an answer written anew over the earlier one, and hides what followed that", () => {
    const turns = toTurns(FOUR, { ...newRun("t", { after: "1" }), text: "Plenty." });
    expect(texts(turns)).toEqual([["How much?", "Plenty."]]);
  });

  it("puts a changed question in the place of the earlier one", () => {
    expect(texts(toTurns(FOUR, asking("And later?", "2")))).toEqual([
      ["How much?", "Much."],
      ["And later?", ""],
    ]);
    expect(texts(toTurns(FOUR, asking("How many?", null)))).toEqual([["How many?", ""]]);
  });

  it("leaves a branch alone to which the run does not belong", () => {
    expect(texts(toTurns(PAIR, newRun("t", { runId: "run-1", after: "gone" })))).toEqual([
      ["How much?", "Much."],
    ]);
    const over = { ...newRun("t", { runId: "run-1" }), messageId: "9", status: "done" as const };
    expect(texts(toTurns(PAIR, over))).toEqual([["How much?", "Much."]]);
  });

  it("shows why an answer could not even be begun", () => {
    const error = { code: "run_active", message: "An answer is still being written." };
    const failed = { ...newRun("t", { after: "3" }), status: "failed" as const, error };
    expect(toTurns(FOUR, failed)[1]?.answer).toMatchObject({ error, stored: null });
  });
});
