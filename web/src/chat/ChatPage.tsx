import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from "react";
import { useLocation, useSearchParams } from "wouter";
import { ApiError, api, sentence } from "@/api/client";
import { useThread } from "@/api/queries";
import type { Me, Source, Thread } from "@/api/types";
import { Waiting } from "@/app/Waiting";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { showToast } from "@/ui/Toast";
import { useAnnouncement } from "./announce";
import { ChatEmpty } from "./ChatEmpty";
import styles from "./ChatPage.module.css";
import { useAttachments } from "./composer/attachments";
import { Composer } from "./composer/Composer";
import { useFileDrop } from "./composer/drop";
import { ask, resume, stop, useRun } from "./runs";
import { useIsWide, useStickToFoot } from "./scroll";
import { TurnView } from "./TurnView";
import { toTurns } from "./turns";

const SourcePane = lazy(() => import("@/viewer/SourcePane"));
const ROOM_FOR_NOTES = 800; // pixels: a column of 65 characters, a gutter and a margin one can read

/** A thread, or the place where one begins. */
export function ChatPage({ me, isAdmin, threadId }: { me: Me; isAdmin: boolean; threadId: string | null }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const thread = useThread(threadId);
  const run = useRun(threadId);
  const files = useAttachments(me.limits);
  const drop = useFileDrop((dropped) => files.add([...dropped]));
  const [openChunk, setOpenChunk] = useOpenChunk();

  const page = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const wide = useIsWide(scroller, ROOM_FOR_NOTES);
  const messages = thread.data?.messages;
  const turns = useMemo(() => toTurns(messages ?? [], run), [messages, run]);
  const running = run?.status === "running";
  const opened = running ? "writing" : messages ? "reading" : null;
  const { isAway, toFoot } = useStickToFoot(scroller, content, opened);
  const announcement = useAnnouncement(run);

  const activeRun = thread.data?.active_run?.id ?? null;
  useEffect(() => {
    if (threadId && activeRun) resume(client, threadId, activeRun);
  }, [client, threadId, activeRun]);

  const onSend = async (question: string): Promise<boolean> => {
    try {
      const id = threadId ?? (await api.post<Thread>("/api/threads")).id;
      ask(client, id, question);
      files.clear();
      if (id !== threadId) navigate(`/t/${id}`);
      toFoot();
      return true;
    } catch (error) {
      showToast({ message: sentence(error), tone: "failed" });
      return false;
    }
  };
  const latestSend = useRef(onSend);
  useEffect(() => {
    latestSend.current = onSend;
  });
  const onRetry = useCallback((question: string) => void latestSend.current(question), []);
  const onOpen = useCallback((source: Source) => setOpenChunk(source.chunk_id), [setOpenChunk]);
  const runId = run?.runId ?? null;
  const onStop =
    running && runId
      ? () => void stop(runId).catch((error) => showToast({ message: sentence(error) }))
      : null;

  const isNew = threadId === null;
  const isMissing = !run && thread.error instanceof ApiError && thread.error.status === 404;
  return (
    <div ref={page} className={styles.chat} data-pane={openChunk !== null} {...drop.handlers}>
      <div className={styles.middle} data-new={isNew} data-wide={wide}>
        <div ref={scroller} className={styles.scroller} data-testid="thread">
          <div ref={content} className={styles.turns}>
            {isNew && <ChatEmpty me={me} onFiles={files.add} onAsk={onRetry} />}
            {isMissing && (
              <EmptyState title="This thread is gone">
                It was deleted, or belongs to somebody else.
              </EmptyState>
            )}
            {!isNew && !isMissing && thread.isError && !run && (
              <EmptyState
                title="The thread could not be read"
                action={<Button onClick={() => thread.refetch()}>Try again</Button>}
              >
                {sentence(thread.error)}
              </EmptyState>
            )}
            {!isNew && thread.isPending && turns.length === 0 && <Waiting />}
            {turns.map((turn) => (
              <TurnView
                key={turn.id}
                turn={turn}
                isAdmin={isAdmin}
                wide={wide}
                openChunk={openChunk}
                onOpen={onOpen}
                onRetry={running ? null : onRetry}
              />
            ))}
          </div>
        </div>
        {!isMissing && (
          <div className={styles.foot}>
            {isAway && (
              <Button small icon="down" className={styles.toFoot} onClick={toFoot}>
                To the newest
              </Button>
            )}
            <Composer
              key={threadId}
              threadId={threadId}
              me={me}
              isAdmin={isAdmin}
              attachments={files.attachments}
              running={running}
              onStop={onStop}
              onFiles={files.add}
              onRemoveFile={files.remove}
              onSend={onSend}
            />
          </div>
        )}
      </div>
      {openChunk && (
        <div className={styles.pane}>
          <Suspense fallback={<Waiting />}>
            <SourcePane chunkId={openChunk} onClose={() => setOpenChunk(null)} />
          </Suspense>
        </div>
      )}
      {drop.isOver && <div className={styles.drop}>Drop the files to add them to your documents</div>}
      <div className="visually-hidden" role="status">
        {announcement}
      </div>
    </div>
  );
}

/** The open source is part of the address, so that a reload opens it again. */
function useOpenChunk() {
  const [params, setParams] = useSearchParams();
  const open = useCallback(
    (chunkId: string | null) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (chunkId) next.set("source", chunkId);
          else next.delete("source");
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return [params.get("source"), open] as const;
}
