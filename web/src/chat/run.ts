/** A run as the page sees it: what its events add up to. Pure, so a reload that replays them ends the same. */
import type { Grounding, Source, ToolCall } from "@/api/types";

export type RunError = { code: string; message: string };

export type Run = {
  threadId: string;
  /** Null until the server has named it. */
  runId: string | null;
  messageId: string | null;
  /** Empty when no new question is asked: a run picked up again, or a question answered once more. */
  question: string;
  /** What the question follows, or without a question the one that is answered; undefined: the last one shown. */
  after: string | null | undefined;
  status: "running" | "done" | "failed";
  /** What kind of turn it is, once known. */
  kind: string | null;
  tools: ToolCall[];
  sources: Source[];
  thinking: string;
  /** Seconds until a busy model is asked again. */
  pause: number | null;
  /** The connection broke and is being made again. */
  isLost: boolean;
  text: string;
  grounding: Grounding | null;
  finish: "complete" | "stopped" | "length" | null;
  error: RunError | null;
  /** Sequence number of the last event applied. */
  last: number;
};

export type RunEvent = { event: string; id: number; data: Record<string, unknown> };

export function newRun(threadId: string, from: Partial<Pick<Run, "question" | "after" | "runId">> = {}): Run {
  return {
    threadId,
    runId: null,
    messageId: null,
    question: "",
    after: undefined,
    status: "running",
    kind: null,
    tools: [],
    sources: [],
    thinking: "",
    pause: null,
    isLost: false,
    text: "",
    grounding: null,
    finish: null,
    error: null,
    last: 0,
    ...from,
  };
}

/** Applies one event; an event seen before, or after the end, changes nothing. */
export function applyEvent(run: Run, { event, id, data }: RunEvent): Run {
  if (id <= run.last || run.status !== "running") return run;
  return { ...run, ...change(run, event, data), last: id };
}

function change(run: Run, event: string, data: Record<string, unknown>): Partial<Run> {
  switch (event) {
    case "run":
      return { runId: data.run_id as string, messageId: data.message_id as string };
    case "turn":
      return { kind: data.kind as string };
    case "tool":
      return { tools: mergeTool(run.tools, data as unknown as ToolCall) };
    case "sources":
      return { sources: mergeSources(run.sources, data.items as Source[]) };
    case "waiting":
      return { pause: data.seconds as number };
    case "thinking":
      return { pause: null, thinking: run.thinking + String(data.delta) };
    case "text":
      return { pause: null, text: run.text + String(data.delta) };
    case "grounding":
      return { grounding: data as unknown as Grounding };
    case "done":
      return { status: "done", finish: data.finish as Run["finish"], messageId: data.message_id as string };
    case "error":
      return { status: "failed", error: data as unknown as RunError };
    default:
      return {};
  }
}

function mergeTool(tools: ToolCall[], next: ToolCall): ToolCall[] {
  const at = tools.findIndex((tool) => tool.id === next.id);
  if (at < 0) return [...tools, next];
  return tools.with(at, { ...tools[at], ...next });
}

function mergeSources(sources: Source[], items: Source[]): Source[] {
  const numbers = new Set(items.map((item) => item.n));
  return [...sources.filter((source) => !numbers.has(source.n)), ...items].sort((a, b) => a.n - b.n);
}
