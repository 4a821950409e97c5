/** Files on their way to the server. Lives outside the pages, so that leaving one does not stop an upload. */
import { ApiError, sentence } from "@/api/client";
import type { Uploaded } from "@/api/types";
import { uploadDocument } from "@/api/upload";
import { type Limits, refusal } from "./checks";

export interface Upload {
  id: number;
  name: string;
  size: number;
  state: "waiting" | "sending" | "refused" | "failed" | "duplicate";
  /** Share of the bytes sent, 0 to 1. */
  share: number;
  message: string;
  original: NonNullable<Uploaded["duplicate_of"]> | null;
}

interface Job {
  id: number;
  file: File;
  folderId: string | null;
  abort: AbortController;
}

// Three at once fill a line; more would only make each of them slower to show.
const AT_ONCE = 3;

// Empty, too large, of a wrong kind, malformed: the same file will be refused again.
const FINAL = [400, 413, 415, 422];

let uploads: readonly Upload[] = [];
let nextId = 1;
const jobs = new Map<number, Job>();
const waiting: number[] = [];
let running = 0;
const listeners = new Set<() => void>();

function publish(next: readonly Upload[]): void {
  uploads = next;
  for (const listener of listeners) listener();
}

function patch(id: number, values: Partial<Upload>): void {
  publish(uploads.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentUploads(): readonly Upload[] {
  return uploads;
}

/** Checks the files and sends the good ones; `onStored` is called for each that the server took. */
export function addFiles(
  files: readonly File[],
  folderId: string | null,
  limits: Limits,
  onStored: (uploaded: Uploaded) => void,
): void {
  const fresh = files.map((file): Upload => {
    const id = nextId++;
    const message = refusal(file, limits);
    if (message === null) {
      jobs.set(id, { id, file, folderId, abort: new AbortController() });
      waiting.push(id);
    }
    const state = message === null ? "waiting" : "refused";
    return { id, name: file.name, size: file.size, state, share: 0, message: message ?? "", original: null };
  });
  publish([...uploads, ...fresh]);
  pump(onStored);
}

function pump(onStored: (uploaded: Uploaded) => void): void {
  while (running < AT_ONCE && waiting.length > 0) {
    const job = jobs.get(waiting.shift() as number);
    if (!job) continue;
    running += 1;
    void sendOne(job, onStored).finally(() => {
      running -= 1;
      pump(onStored);
    });
  }
}

async function sendOne(job: Job, onStored: (uploaded: Uploaded) => void): Promise<void> {
  const { id, file, folderId, abort } = job;
  patch(id, { state: "sending", share: 0, message: "" });
  try {
    const uploaded = await uploadDocument(file, {
      folderId,
      signal: abort.signal,
      onProgress: (share) => patch(id, { share }),
    });
    jobs.delete(id);
    if (uploaded.duplicate && uploaded.duplicate_of) {
      patch(id, { state: "duplicate", share: 1, original: uploaded.duplicate_of });
    } else {
      publish(uploads.filter((upload) => upload.id !== id));
    }
    onStored(uploaded);
  } catch (error) {
    if (error instanceof DOMException) return; // cancelled here, and already off the list
    const isFinal = error instanceof ApiError && FINAL.includes(error.status);
    if (isFinal) jobs.delete(id);
    patch(id, {
      state: isFinal ? "refused" : "failed",
      message: `${file.name} was not added. ${sentence(error)}`,
    });
  }
}

/** Sends a failed upload once more. */
export function sendAgain(id: number, onStored: (uploaded: Uploaded) => void): void {
  if (!jobs.has(id)) return;
  patch(id, { state: "waiting", message: "" });
  waiting.push(id);
  pump(onStored);
}

/** Takes uploads off the list, stopping those that are still on their way. */
export function dismiss(...ids: readonly number[]): void {
  for (const id of ids) {
    jobs.get(id)?.abort.abort();
    jobs.delete(id);
  }
  publish(uploads.filter((upload) => !ids.includes(upload.id)));
}
