import type { QueryClient } from "@tanstack/react-query";
import type { EventSourceMessage } from "eventsource-parser";
import { ApiError, send } from "./client";
import { keys } from "./keys";
import { readEvents } from "./sse";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
const GATHER_MS = 250; // a working document changes several times a second; one re-read serves them all
const JUST_READ_MS = 5000; // since the page was opened
const SHARED_AS = "ibid-events";

type Note = { event: string; data: string; id: string };

/**
 * Follows /api/events until stopped and marks what changed as stale. Browsers allow six connections to a site over
 * HTTP/1.1, so of all open tabs only one holds the stream and tells the others; when it closes, another takes over.
 */
export function followEvents(client: QueryClient): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const channel = new BroadcastChannel(SHARED_AS);
  const stale = gather((queryKey) => void client.invalidateQueries({ queryKey }));
  const isKnown = (id: string) => client.getQueryData(keys.document(id)) !== undefined;
  let lastId = "";
  const hear = (note: Note) => {
    lastId = note.id || lastId;
    for (const key of affected(note.event, note.data, isKnown)) stale(key);
  };
  const tell = (note: Note) => {
    hear(note);
    channel.postMessage(note);
  };
  channel.onmessage = (message: MessageEvent<Note>) => hear(message.data);
  signal.addEventListener("abort", () => channel.close());
  const lead = () => follow(tell, () => lastId, signal);
  // Locks exist on https and on this machine; elsewhere every tab follows for itself.
  const led = navigator.locks ? navigator.locks.request(SHARED_AS, { signal }, lead) : lead();
  led.catch(() => undefined); // stopped while waiting for its turn
  return () => abort.abort();
}

async function follow(tell: (note: Note) => void, lastId: () => string, signal: AbortSignal) {
  let wait = FIRST_WAIT_MS;
  while (!signal.aborted) {
    try {
      for await (const event of readEvents(await open(lastId(), signal))) {
        if (signal.aborted) return;
        wait = FIRST_WAIT_MS;
        tell(toNote(event));
      }
    } catch (error) {
      if (signal.aborted || isSignedOut(error)) return;
    }
    await sleep(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/** A new stream begins with a resync; to a page that has just read everything it only says that the stream is up. */
function toNote({ event = "message", data, id = "" }: EventSourceMessage): Note {
  return { event: event === "resync" && performance.now() < JUST_READ_MS ? "connected" : event, data, id };
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
  if (event === "connected") return [keys.documents, keys.folders];
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
