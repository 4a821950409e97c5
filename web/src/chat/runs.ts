/** The runs this page follows, one a thread; they go on while another page is looked at. */
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError, api, send, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import { readEvents } from "@/api/sse";
import { applyEvent, newRun, type Run, type RunEvent } from "./run";

const PAINT_MS = 33; // deltas of one frame are drawn together
const RECONNECT_MS = 700;
const RECONNECTS = 12;
const EVENT_STREAM = { Accept: "text/event-stream" };

const runs = new Map<string, Run>();
const listeners = new Set<() => void>();
let shown: ReadonlyMap<string, Run> = new Map();
let isDrawn = true;

function put(run: Run) {
  runs.set(run.threadId, run);
  if (isDrawn) setTimeout(draw, PAINT_MS);
  isDrawn = false;
}

function draw() {
  isDrawn = true;
  shown = new Map(runs);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useRun(threadId: string | null): Run | undefined {
  return useSyncExternalStore(subscribe, () => (threadId ? shown.get(threadId) : undefined));
}

/** Sends a question and follows its answer to the end. */
export function ask(client: QueryClient, threadId: string, content: string): void {
  put(newRun(threadId, content));
  const open = () =>
    send("POST", `/api/threads/${threadId}/messages`, { content }, { headers: EVENT_STREAM });
  void follow(client, threadId, open);
}

/** Picks up a run that was going when the page was loaded. */
export function resume(client: QueryClient, threadId: string, runId: string): void {
  if (runs.get(threadId)?.runId === runId) return;
  put(newRun(threadId, "", runId));
  void follow(client, threadId, () => reopen(runId, 0));
}

export function stop(runId: string): Promise<void> {
  return api.post(`/api/runs/${runId}/stop`);
}

function reopen(runId: string, last: number): Promise<Response> {
  const headers = last ? { ...EVENT_STREAM, "Last-Event-ID": String(last) } : EVENT_STREAM;
  return send("GET", `/api/runs/${runId}/events`, undefined, { headers });
}

async function follow(client: QueryClient, threadId: string, first: () => Promise<Response>) {
  let open = first;
  for (let attempt = 0; attempt <= RECONNECTS; attempt++) {
    const failure = await drain(client, threadId, open);
    const run = runs.get(threadId);
    if (run?.status !== "running") break;
    const { runId } = run;
    if (runId === null || isFinal(failure) || attempt === RECONNECTS) {
      put({ ...run, status: "failed", error: describe(failure) });
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    open = () => reopen(runId, run.last);
  }
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.thread(threadId) }),
    client.invalidateQueries({ queryKey: keys.threads() }),
  ]);
}

/** Applies a stream's events as they come; hands back what broke it, if anything did. */
async function drain(client: QueryClient, threadId: string, open: () => Promise<Response>): Promise<unknown> {
  try {
    for await (const message of readEvents(await open())) {
      const run = runs.get(threadId);
      if (!run) return null;
      put(applyEvent(run, toEvent(message.event, message.id, message.data, run.last)));
      if (message.event === "run") void client.invalidateQueries({ queryKey: keys.threads() });
    }
    return null;
  } catch (error) {
    return error;
  }
}

function toEvent(event = "message", id: string | undefined, data: string, last: number): RunEvent {
  return {
    event,
    id: id === undefined ? last + 1 : Number(id),
    data: JSON.parse(data) as Record<string, unknown>,
  };
}

function isFinal(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status >= 400 && failure.status < 500;
}

function describe(failure: unknown): { code: string; message: string } {
  if (failure instanceof ApiError) return { code: failure.code, message: failure.message };
  const lost =
    "The connection was lost before the answer was finished. Reload the page to see what there is.";
  return { code: "connection_lost", message: failure === null ? lost : sentence(failure) };
}
