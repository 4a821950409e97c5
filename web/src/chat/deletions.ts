/** Threads whose deletion can still be undone: hidden at once, deleted when the chance has passed. */
import type { QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { Thread } from "@/api/types";
import { showToast } from "@/ui/Toast";

let hidden: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function setHidden(next: ReadonlySet<string>) {
  hidden = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  if (listeners.size === 1) window.addEventListener("pagehide", flush);
  return () => listeners.delete(listener);
}

export function useHiddenThreads(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => hidden);
}

export function deleteThread(client: QueryClient, thread: Thread): void {
  setHidden(new Set([...hidden, thread.id]));
  const restore = () => setHidden(new Set([...hidden].filter((id) => id !== thread.id)));
  showToast({
    message: `Deleted “${thread.title || "Untitled"}”.`,
    action: { label: "Undo", onAction: restore },
    onExpire: () => {
      api
        .delete(`/api/threads/${thread.id}`)
        .then(() => client.invalidateQueries({ queryKey: keys.threads() }))
        .catch((error) => showToast({ message: sentence(error), tone: "failed" }))
        .finally(restore);
    },
  });
}

/** Leaving the page ends the chance to undo. */
function flush() {
  for (const id of hidden) void api.delete(`/api/threads/${id}`, { keepalive: true }).catch(() => undefined);
}
