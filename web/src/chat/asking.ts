/** What a chat page does with its thread: asks, stops, and picks up a run it finds going. */
import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { ApiError, api, sentence } from "@/api/client";
import type { ActiveRun, Thread, ThreadDetail } from "@/api/types";
import { showToast } from "@/ui/Toast";
import { ask, forget, resume, stop, useRun } from "./runs";

type Asking = {
  threadId: string | null;
  activeRun: ActiveRun | null;
  isGuest: boolean;
  /** Called once a question is on its way. */
  onAsked: () => void;
};

export function useAsking({ threadId, activeRun, isGuest, onAsked }: Asking) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const run = useRun(threadId);

  useEffect(() => {
    if (threadId && activeRun) resume(client, threadId, activeRun);
  }, [client, threadId, activeRun]);

  const send = async (question: string): Promise<boolean> => {
    try {
      const id = threadId ?? (await api.post<Thread>("/api/threads")).id;
      forget(id);
      ask(client, id, { content: question });
      onAsked();
      if (id !== threadId) navigate(`${isGuest ? "/guest" : "/t"}/${id}`);
      return true;
    } catch (error) {
      showToast({ message: sentence(error), tone: "failed" });
      return false;
    }
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  const again = useCallback((question: string) => void latest.current(question), []);

  const isRunning = run?.status === "running";
  const runId = isRunning ? run.runId : null;
  const onStop =
    runId === null ? null : () => void stop(runId).catch((error) => showToast({ message: sentence(error) }));
  return { run, isRunning, send, again, onStop };
}

export function isMissing(thread: UseQueryResult<ThreadDetail>): boolean {
  return thread.error instanceof ApiError && thread.error.status === 404;
}
