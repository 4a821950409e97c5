/** A thread as pairs of a question and its answer, stored messages and the running one alike. */
import type { Grounding, Message, Source, ToolCall } from "@/api/types";
import type { Run, RunError } from "./run";

export type Answer = {
  id: string;
  text: string;
  thinking: string;
  pause: number | null;
  sources: Source[];
  tools: ToolCall[];
  grounding: Grounding | null;
  kind: Message["kind"];
  finish: Message["finish"];
  error: RunError | null;
  model: string | null;
  ms: number | null;
  streaming: boolean;
};

export type Turn = { id: string; question: string; answer: Answer | null };

export function toTurns(messages: readonly Message[], run?: Run): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === "user") turns.push({ id: message.id, question: message.content, answer: null });
    else if (last && !last.answer) last.answer = fromMessage(message, run);
    else turns.push({ id: message.id, question: "", answer: fromMessage(message, run) });
  }
  return run ? withRun(turns, run) : turns;
}

/** Puts the run in its place: over its own stored message while it goes, else after the last turn. */
function withRun(turns: Turn[], run: Run): Turn[] {
  const stored = turns.findIndex((turn) => turn.answer !== null && turn.answer.id === run.messageId);
  if (stored >= 0) {
    const turn = turns[stored];
    return turn && run.status === "running" ? turns.with(stored, { ...turn, answer: fromRun(run) }) : turns;
  }
  const last = turns.at(-1);
  const isOpen = last && !last.answer && (run.question === "" || run.question === last.question);
  if (last && isOpen) return turns.with(-1, { ...last, answer: fromRun(run) });
  return run.question === ""
    ? turns
    : [...turns, { id: "asked", question: run.question, answer: fromRun(run) }];
}

function fromMessage(message: Message, run?: Run): Answer {
  return {
    id: message.id,
    text: message.content,
    thinking: run && run.messageId === message.id ? run.thinking : "",
    pause: null,
    sources: message.sources,
    tools: message.trace,
    grounding: message.grounding,
    kind: message.kind,
    finish: message.finish,
    error: message.error,
    model: message.model,
    ms: message.ms,
    streaming: false,
  };
}

function fromRun(run: Run): Answer {
  return {
    id: run.messageId ?? "asked",
    text: run.text,
    thinking: run.thinking,
    pause: run.pause,
    sources: run.sources,
    tools: run.tools,
    grounding: run.grounding,
    kind: run.status === "failed" ? "error" : run.finish === "stopped" ? "stopped" : "answer",
    finish: run.finish,
    error: run.error,
    model: null,
    ms: null,
    streaming: run.status === "running",
  };
}
