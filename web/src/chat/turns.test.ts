import { describe, expect, it } from "vitest";
import type { Message } from "@/api/types";
import { newRun } from "./run";
import { toTurns } from "./turns";

const message = (id: string, role: Message["role"], content: string): Message => ({
  id,
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
const PAIR = [message("1", "user", "How much?"), message("2", "assistant", "Much.")];

describe("toTurns", () => {
  it("pairs questions with answers", () => {
    expect(toTurns(PAIR).map((turn) => [turn.question, turn.answer?.text])).toEqual([["How much?", "Much."]]);
  });

  it("shows a question just asked before the server has it", () => {
    const turns = toTurns(PAIR, newRun("t", "And then?"));
    expect(turns.map((turn) => turn.question)).toEqual(["How much?", "And then?"]);
    expect(turns[1]?.answer?.streaming).toBe(true);
  });

  it("does not show the question twice once the server has it, nor after a reload", () => {
    const stored = [...PAIR, message("3", "user", "And then?")];
    expect(toTurns(stored, newRun("t", "And then?"))).toHaveLength(2);
    expect(toTurns(stored, newRun("t", "", "run-1"))).toHaveLength(2);
  });

  it("gives way to the stored answer when the run is over, keeping its thinking", () => {
    const run = {
      ...newRun("t", "How much?"),
      messageId: "2",
      status: "done" as const,
      text: "Mu",
      thinking: "Hm.",
    };
    const turns = toTurns(PAIR, run);
    expect(turns).toHaveLength(1);
    expect(turns[0]?.answer).toMatchObject({ text: "Much.", thinking: "Hm.", streaming: false });
  });
});
