import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { sentence } from "@/api/client";
import type { Source, ThreadDetail } from "@/api/types";
import { Waiting } from "@/app/Waiting";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { isMissing } from "./asking";
import type { Run } from "./run";
import { TurnView } from "./TurnView";
import { toTurns } from "./turns";

type ThreadBodyProps = {
  thread: UseQueryResult<ThreadDetail>;
  run: Run | undefined;
  isAdmin: boolean;
  wide: boolean;
  openChunk: string | null;
  onOpen: (source: Source) => void;
  onRetry: (question: string) => void;
};

/** The turns of a thread, or why there are none. */
export default function ThreadBody({ thread, run, onRetry, ...view }: ThreadBodyProps) {
  const messages = thread.data?.messages;
  const turns = useMemo(() => toTurns(messages ?? [], run), [messages, run]);
  if (turns.length === 0 && thread.isPending) return <Waiting />;
  if (turns.length === 0 && thread.isError) return <Unreadable thread={thread} />;
  if (turns.length === 0 && thread.data) {
    return <EmptyState title="This thread is empty">Ask a question below to begin it anew.</EmptyState>;
  }
  const retry = run?.status === "running" ? null : onRetry;
  return turns.map((turn, index) => (
    <TurnView
      // biome-ignore lint/suspicious/noArrayIndexKey: a branch takes the place of another, and ids come late
      key={index}
      turn={turn}
      onRetry={index === turns.length - 1 ? retry : null}
      {...view}
    />
  ));
}

function Unreadable({ thread }: { thread: UseQueryResult<ThreadDetail> }) {
  if (isMissing(thread)) {
    return <EmptyState title="This thread is gone">It was deleted, or belongs to somebody else.</EmptyState>;
  }
  return (
    <EmptyState
      title="The thread could not be read"
      action={<Button onClick={() => void thread.refetch()}>Try again</Button>}
    >
      {sentence(thread.error)}
    </EmptyState>
  );
}
