/** A thread as pairs of a question and its answer, stored messages and the running one alike. */
import type { Feedback, Grounding, Message, Siblings, Source, ToolCall } from "@/api/types";
import type { Run, RunError } from "./run";

export type Question = {
  /** Null until the server has it. */
  id: string | null;
  text: string;
  parentId: string | null;
  siblings: Siblings;
};

export type Answer = {
  id: string;
  /** Null while it is only being written: then it cannot be rated, deleted or answered again. */
  stored: { siblings: Siblings; excluded: boolean; feedback: Feedback | null; searchIds: string[] } | null;
  text: string;
  thinking: string;
  pause: number | null;
  isLost: boolean;
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

export type Turn = { question: Question | null; answer: Answer | null };

const ALONE: Siblings = { index: 0, count: 1, ids: [] };

export function toTurns(messages: readonly Message[], run?: Run): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === "user") turns.push({ question: toQuestion(message), answer: null });
    else if (last && !last.answer) last.answer = fromMessage(message, run);
    else turns.push({ question: null, answer: fromMessage(message, run) });
  }
  return run ? withRun(turns, run) : turns;
}

/** Puts the run in its place: over its own stored message while it goes, else after what it follows. */
function withRun(turns: Turn[], run: Run): Turn[] {
  const stored = turns.findIndex((turn) => turn.answer !== null && turn.answer.id === run.messageId);
  if (stored >= 0) {
    const turn = turns[stored];
    return turn && run.status === "running" ? turns.with(stored, { ...turn, answer: fromRun(run) }) : turns;
  }
  const isWaiting = (turn: Turn | undefined): turn is Turn => turn !== undefined && awaits(turn, run);
  if (isWaiting(turns.at(-1))) return answered(turns, run);
  const before = upTo(turns, run);
  if (isWaiting(before.at(-1))) return answered(before, run);
  if (run.question === "") return turns; // over, and of another branch
  const question = { id: null, text: run.question, parentId: run.after ?? null, siblings: ALONE };
  return [...before, { question, answer: fromRun(run) }];
}

/** Whether a question without an answer is the one that the run answers. */
function awaits({ question, answer }: Turn, run: Run): boolean {
  if (!question || answer) return false;
  if (run.question !== "") return question.text === run.question;
  return run.status === "running" ? (run.after ?? question.id) === question.id : run.after === question.id;
}

function answered(turns: Turn[], run: Run): Turn[] {
  return turns.with(-1, { question: turns.at(-1)?.question ?? null, answer: fromRun(run) });
}

/** The turns that stay in sight: without those that hang on another branch than the run's. */
function upTo(turns: Turn[], run: Run): Turn[] {
  if (run.after === undefined) return turns;
  if (run.after === null) return [];
  const at = turns.findIndex(
    ({ question, answer }) => question?.id === run.after || answer?.id === run.after,
  );
  if (at < 0) return turns;
  const kept = turns.slice(0, at + 1);
  const { question } = turns[at] as Turn;
  return question?.id === run.after ? kept.with(-1, { question, answer: null }) : kept;
}

function toQuestion({ id, content, parent_id, siblings }: Message): Question {
  return { id, text: content, parentId: parent_id, siblings };
}

function fromMessage(message: Message, run?: Run): Answer {
  return {
    id: message.id,
    stored: {
      siblings: message.siblings,
      excluded: message.excluded,
      feedback: message.feedback,
      searchIds: message.search_ids,
    },
    text: message.content,
    thinking: run && run.messageId === message.id ? run.thinking : "",
    pause: null,
    isLost: false,
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
    stored: null,
    text: run.text,
    thinking: run.thinking,
    pause: run.pause,
    isLost: run.isLost,
    sources: run.sources,
    tools: run.tools,
    grounding: run.grounding,
    kind: kindOf(run),
    finish: run.finish,
    error: run.error,
    model: null,
    ms: null,
    streaming: run.status === "running",
  };
}

function kindOf({ status, finish, kind }: Run): Message["kind"] {
  if (status === "failed") return "error";
  if (finish === "stopped") return "stopped";
  return kind === "crisis" || kind === "declined" ? kind : "answer";
}
