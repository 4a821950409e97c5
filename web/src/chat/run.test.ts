import { describe, expect, it } from "vitest";
import { applyEvent, newRun, type Run, type RunEvent } from "./run";

const source = (n: number) => ({ n, chunk_id: `c${n}`, name: "a.pdf", heading_path: [] });
const EVENTS: RunEvent[] = [
  { event: "run", id: 1, data: { run_id: "r", thread_id: "t", message_id: "m" } },
  { event: "turn", id: 2, data: { kind: "question", query: "q" } },
  {
    event: "tool",
    id: 3,
    data: { id: "1", name: "search_documents", state: "started", arguments: { query: "q" } },
  },
  { event: "tool", id: 4, data: { id: "1", name: "search_documents", state: "done", ms: 9 } },
  { event: "sources", id: 5, data: { items: [source(2), source(1)] } },
  { event: "text", id: 6, data: { delta: "It rose " } },
  { event: "text", id: 7, data: { delta: "[1]." } },
  { event: "done", id: 8, data: { message_id: "m", finish: "complete" } },
];
const replay = (run: Run, events: RunEvent[]) => events.reduce(applyEvent, run);

describe("applyEvent", () => {
  it("adds deltas up and keeps the last state of each tool with what came before", () => {
    const run = replay(newRun("t", { question: "q" }), EVENTS);
    expect(run).toMatchObject({
      runId: "r",
      messageId: "m",
      text: "It rose [1].",
      status: "done",
      finish: "complete",
    });
    expect(run.tools).toEqual([
      { id: "1", name: "search_documents", state: "done", arguments: { query: "q" }, ms: 9 },
    ]);
    expect(run.sources.map((item) => item.n)).toEqual([1, 2]);
  });

  it("ends the same when a reconnect sends events twice", () => {
    const once = replay(newRun("t", { question: "q" }), EVENTS);
    expect(replay(newRun("t", { question: "q" }), [...EVENTS.slice(0, 7), ...EVENTS.slice(3)])).toEqual(once);
  });

  it("says how long a busy model is waited for, until it writes", () => {
    const busy = { event: "waiting", id: 6, data: { seconds: 2, reason: "rate_limited" } };
    const run = replay(newRun("t", { question: "q" }), [...EVENTS.slice(0, 5), busy]);
    expect(run.pause).toBe(2);
    expect(applyEvent(run, { event: "text", id: 7, data: { delta: "It" } }).pause).toBeNull();
  });

  it("ignores events it does not know, and everything after the end", () => {
    const run = replay(newRun("t", { question: "q" }), [
      ...EVENTS,
      { event: "text", id: 9, data: { delta: "more" } },
    ]);
    expect(run.text).toBe("It rose [1].");
    expect(applyEvent(newRun("t", { question: "q" }), { event: "novel", id: 1, data: {} }).status).toBe(
      "running",
    );
  });

  it("keeps what was written when the run fails", () => {
    const error = { code: "model_unreachable", message: "The model does not answer." };
    const run = replay(newRun("t", { question: "q" }), [
      ...EVENTS.slice(0, 7),
      { event: "error", id: 8, data: error },
    ]);
    expect(run).toMatchObject({ status: "failed", error, text: "It rose [1]." });
  });
});
