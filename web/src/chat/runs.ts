/** The runs this page follows, one a thread; they go on while another page is looked at. */
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ApiError, api, send, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import { readEvents } from "@/api/sse";
import type { ActiveRun, ThreadDetail } from "@/api/types";
import { showToast } from "@/ui/Toast";
import { reconnected } from "./reconnecting";
import { applyEvent, newRun, type Run, type RunEvent } from "./run";
import { tellTabs } from "./tabs";

const PAINT_MS = 33; // deltas of one frame are drawn together
const RECONNECTS = 12; // in a row, without an event between them
const LOST = "connection_lost";
const EVENT_STREAM = { Accept: "text/event-stream" };

type Opening = (signal: AbortSignal) => Promise<Response>;

const runs = new Map<string, Run>();
const listeners = new Set<() => void>();
let shown: ReadonlyMap<string, Run> = new Map();
let isDrawn = true;

function put(run: Run) {
  runs.set(run.threadId, run);
  changed();
}

function changed() {
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

export type Question = {
  content: string;
  /** The message it follows, null for none; left out: the last one shown. */
  parent_id?: string | null;
};

/** Sends a question and follows its answer to the end. */
export function ask(client: QueryClient, threadId: string, question: Question): void {
  const path = `/api/threads/${threadId}/messages`;
  begin(client, newRun(threadId, { question: question.content, after: question.parent_id }), path, question);
}

/** Has a question answered once more, beside its earlier answers. */
export function answerAgain(
  client: QueryClient,
  threadId: string,
  questionId: string,
  allowWeb: boolean,
): void {
  const path = `/api/messages/${questionId}/regenerate`;
  begin(client, newRun(threadId, { after: questionId }), path, { allow_web: allowWeb });
}

/** Picks up a run that was going when the page was loaded, or that another tab has begun. */
export function resume(client: QueryClient, threadId: string, active: ActiveRun): void {
  const known = runs.get(threadId);
  if (known?.status === "running") return; // ours, perhaps not named yet: a thread has one at a time
  if (known?.runId === active.id && known.error?.code !== LOST) return;
  const run = newRun(threadId, { after: active.parent_id ?? undefined, runId: active.id });
  put(run);
  void follow(client, threadId, (signal) => reopen(active.id, 0, signal));
}

export function stop(runId: string): Promise<void> {
  return api.post(`/api/runs/${runId}/stop`);
}

/** Takes away what is left of a run that is over, before another branch is shown. */
export function forget(threadId: string): void {
  if (runs.get(threadId)?.status === "running") return;
  runs.delete(threadId);
  changed();
}

function begin(client: QueryClient, run: Run, path: string, body: unknown) {
  put(run);
  draw(); // at once: a thread that is still empty is not to be seen as such
  const open = (signal: AbortSignal) => send("POST", path, body, { headers: EVENT_STREAM, signal });
  void follow(client, run.threadId, open);
}

function reopen(runId: string, last: number, signal: AbortSignal): Promise<Response> {
  const headers = last ? { ...EVENT_STREAM, "Last-Event-ID": String(last) } : EVENT_STREAM;
  return send("GET", `/api/runs/${runId}/events`, undefined, { headers, signal });
}

async function follow(client: QueryClient, threadId: string, first: Opening) {
  let open = first;
  for (let attempt = 0, seen = 0; ; attempt++) {
    const failure = await drain(client, threadId, open);
    const run = runs.get(threadId);
    if (run?.status !== "running") break;
    if (run.last > seen) attempt = 0;
    seen = run.last;
    const { runId } = run;
    if (runId === null || isFinal(failure) || attempt >= RECONNECTS) {
      fail(run, describe(failure));
      break;
    }
    put({ ...run, isLost: true });
    await reconnected(attempt);
    open = (signal) => reopen(runId, seen, signal);
  }
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.thread(threadId) }),
    client.invalidateQueries({ queryKey: keys.threads() }),
  ]);
  settle(client, threadId);
  tellTabs(threadId);
}

/** An answer that could not even be begun anew leaves the earlier one in its place. */
function fail(run: Run, error: { code: string; message: string }) {
  put({ ...run, status: "failed", isLost: false, error });
  if (run.runId !== null || run.question !== "") return;
  forget(run.threadId);
  showToast({ message: error.message, tone: "failed" });
}

/** Applies a stream's events as they come; hands back what broke it, if anything did. */
async function drain(client: QueryClient, threadId: string, open: Opening): Promise<unknown> {
  const broken = new AbortController();
  // A stream can outlive its network without a word. A question on its way is left to arrive.
  const onOffline = () => runs.get(threadId)?.runId && broken.abort();
  window.addEventListener("offline", onOffline);
  try {
    for await (const message of readEvents(await open(broken.signal))) {
      const run = runs.get(threadId);
      if (!run) return null;
      put({ ...applyEvent(run, toEvent(message.event, message.id, message.data, run.last)), isLost: false });
      if (message.event === "run") begun(client, threadId);
    }
    return null;
  } catch (error) {
    return error;
  }
}

/** The question is stored: the thread, its list and the other tabs take it in. */
function begun(client: QueryClient, threadId: string) {
  void client.invalidateQueries({ queryKey: keys.threads() });
  void client.invalidateQueries({ queryKey: keys.thread(threadId) });
  tellTabs(threadId);
}

/** Once the thread holds the answer, of the run only its thinking is kept, which is stored nowhere. */
function settle(client: QueryClient, threadId: string) {
  const run = runs.get(threadId);
  const stored = client.getQueryData<ThreadDetail>(keys.thread(threadId))?.messages;
  if (!run || !stored?.some((message) => message.id === run.messageId)) return;
  put({ ...newRun(threadId, { runId: run.runId }), ...ended(run) });
}

function ended({ messageId, status, thinking, finish, grounding, sources, error }: Run): Partial<Run> {
  return { messageId, status, thinking, finish, grounding, sources, error };
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
  return { code: LOST, message: failure === null ? lost : sentence(failure) };
}
