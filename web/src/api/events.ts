import type { QueryClient } from "@tanstack/react-query";
import { ApiError, send } from "./client";
import { keys } from "./keys";
import { readEvents } from "./sse";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const GATHER_MS = 250; // a working document changes several times a second; one re-read serves them all

/** Follows /api/events until stopped, reconnecting where it left off, and marks what changed as stale. */
export function followEvents(client: QueryClient): () => void {
  const abort = new AbortController();
  void follow(client, abort.signal);
  return () => abort.abort();
}

async function follow(client: QueryClient, signal: AbortSignal) {
  const stale = gather((queryKey) => void client.invalidateQueries({ queryKey }));
  const isKnown = (id: string) => client.getQueryData(keys.document(id)) !== undefined;
  let lastId = "";
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      for await (const event of readEvents(await open(lastId, signal))) {
        wait = FIRST_WAIT_MS;
        lastId = event.id ?? lastId;
        for (const key of affected(event.event ?? "message", event.data, isKnown)) stale(key);
      }
    } catch (error) {
      if (signal.aborted || isSignedOut(error)) return;
    }
    await sleep(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

function open(lastId: string, signal: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (lastId) headers["Last-Event-ID"] = lastId;
  return send("GET", "/api/events", undefined, { signal, headers });
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

type Key = readonly unknown[];

/**
 * The query keys that an event makes stale; an empty key stands for all of them. A document that is known
 * is read again alone, and whoever shows it passes on a change of its state to the lists.
 */
export function affected(event: string, data: string, isKnown: (id: string) => boolean): Key[] {
  if (event === "resync") return [[]];
  if (event === "settings") return [keys.settings, keys.me];
  if (event !== "document") return [];
  const { id } = JSON.parse(data) as { id: string };
  const own = [keys.document(id), keys.suggestions];
  return isKnown(id) ? own : [...own, keys.documents, keys.folders];
}

function gather(apply: (key: Key) => void): (key: Key) => void {
  const waiting = new Map<string, Key>();
  return (key) => {
    if (waiting.size === 0) {
      setTimeout(() => {
        const due = [...waiting.values()];
        waiting.clear();
        for (const one of due) apply(one);
      }, GATHER_MS);
    }
    waiting.set(JSON.stringify(key), key);
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const onAbort = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
