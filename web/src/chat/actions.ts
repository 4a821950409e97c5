/** What can be done with the messages of a thread. Its parts find it in a context; guests have none. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext, useMemo, useState } from "react";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { Feedback, ThreadDetail } from "@/api/types";
import { COMPOSER_ID } from "@/app/hotkeys";
import { showToast } from "@/ui/Toast";
import { answerAgain, ask, forget } from "./runs";
import { tellTabs } from "./tabs";
import type { Question } from "./turns";

export type Actions = {
  /** An answer is being written: the thread keeps its shape until that is over. */
  isBusy: boolean;
  /** The question that is being changed. */
  editing: string | null;
  edit: (questionId: string | null) => void;
  resend: (question: Question, content: string) => void;
  answerAgain: (questionId: string, options?: { allowWeb: boolean }) => void;
  select: (messageId: string) => void;
  remove: (messageId: string, what: "question" | "answer") => void;
  exclude: (messageId: string, excluded: boolean) => void;
  rate: (messageId: string, feedback: Feedback) => Promise<boolean>;
  makeGolden: (messageId: string) => Promise<boolean>;
};

export const ActionsContext = createContext<Actions | null>(null);
export const useActions = () => useContext(ActionsContext);

type Where = { threadId: string | null; isGuest: boolean; isBusy: boolean; onAsked: () => void };

export function useThreadActions({ threadId, isGuest, isBusy, onAsked }: Where): Actions | null {
  const client = useQueryClient();
  const [editing, edit] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what onAsked does is the same at every drawing
  return useMemo(() => {
    if (isGuest) return null;
    const id = threadId ?? "";
    const asked = () => {
      edit(null);
      onAsked();
      toComposer();
    };
    return {
      isBusy,
      editing,
      edit,
      resend: (question, content) => {
        ask(client, id, { content, parent_id: question.parentId });
        asked();
      },
      answerAgain: (questionId, options) => {
        answerAgain(client, id, questionId, options?.allowWeb ?? false);
        asked();
      },
      ...changes(client, id),
    };
  }, [client, threadId, isGuest, isBusy, editing]);
}

/** Each change comes back as the thread that it has made. */
function changes(client: QueryClient, threadId: string) {
  const apply = async (change: Promise<ThreadDetail>): Promise<boolean> => {
    try {
      const thread = await change;
      forget(threadId);
      client.setQueryData(keys.thread(threadId), thread);
      tellTabs(threadId);
      return true;
    } catch (error) {
      return refuse(error);
    }
  };
  const at = (messageId: string) => `/api/messages/${messageId}`;
  return {
    select: (messageId: string) => void apply(api.post(`${at(messageId)}/select`)),
    exclude: (messageId: string, excluded: boolean) => void apply(api.patch(at(messageId), { excluded })),
    remove: async (messageId: string, what: "question" | "answer") => {
      if (!(await apply(api.delete<ThreadDetail>(at(messageId))))) return;
      toComposer();
      showToast({
        message: `Deleted the ${what} and what followed it.`,
        action: { label: "Undo", onAction: () => void apply(api.post(`${at(messageId)}/restore`)) },
      });
    },
    rate: async (messageId: string, feedback: Feedback) => {
      try {
        const kept = await api.put<Feedback>(`${at(messageId)}/feedback`, feedback);
        client.setQueryData<ThreadDetail>(keys.thread(threadId), (thread) => rated(thread, messageId, kept));
        return true;
      } catch (error) {
        return refuse(error);
      }
    },
    makeGolden: async (messageId: string) => {
      try {
        await api.post(`${at(messageId)}/golden`, {});
        return true;
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

function refuse(error: unknown): false {
  showToast({ message: sentence(error), tone: "failed" });
  return false;
}

function rated(thread: ThreadDetail | undefined, messageId: string, feedback: Feedback) {
  if (!thread) return thread;
  const kept = feedback.rating ? feedback : null;
  const messages = thread.messages.map((one) => (one.id === messageId ? { ...one, feedback: kept } : one));
  return { ...thread, messages };
}

/** What was pressed is often gone with what it did: writing goes on in the composer. */
function toComposer() {
  if (matchMedia("(hover: hover)").matches) document.getElementById(COMPOSER_ID)?.focus();
}
