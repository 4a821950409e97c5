import { lazy, Suspense, useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import { useThread } from "@/api/queries";
import type { Me, Source } from "@/api/types";
import { useTitle } from "@/app/title";
import { Waiting } from "@/app/Waiting";
import { Button } from "@/ui/Button";
import { useAnnouncement } from "./announce";
import { isMissing, useAsking } from "./asking";
import { ChatEmpty } from "./ChatEmpty";
import styles from "./ChatPage.module.css";
import { useAttachments } from "./composer/attachments";
import { Composer } from "./composer/Composer";
import { useFileDrop } from "./composer/drop";
import { useIsWide, useStickToFoot } from "./scroll";

const loadThreadBody = () => import("./ThreadBody"); // Markdown and notes: not needed where a thread begins
const ThreadBody = lazy(loadThreadBody);
const SourcePane = lazy(() => import("@/viewer/SourcePane"));
const ROOM_FOR_NOTES = 800; // pixels: a column of 65 characters, a gutter and a margin one can read

/** A thread, or the place where one begins. */
export function ChatPage({ me, isAdmin, threadId }: { me: Me; isAdmin: boolean; threadId: string | null }) {
  const thread = useThread(threadId);
  const files = useAttachments(me.limits);
  const drop = useFileDrop((dropped) => files.add([...dropped]));
  const [openChunk, setOpenChunk] = useOpenChunk();
  const activeRun = thread.data?.active_run?.id ?? null;
  const onAsked = () => {
    files.clear();
    toFoot();
  };
  const { run, isRunning, send, again, onStop } = useAsking(
    threadId,
    thread.data?.active_run?.id ?? null,
    onAsked,
  );
  useTitle(thread.data?.title ?? null);
  const announcement = useAnnouncement(run);

  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const wide = useIsWide(scroller, ROOM_FOR_NOTES);
  const opened = isRunning || activeRun ? "writing" : thread.data ? "reading" : null;
  const { isAway, toFoot } = useStickToFoot(scroller, content, opened);
  const onOpen = useCallback((source: Source) => setOpenChunk(source.chunk_id), [setOpenChunk]);

  useEffect(() => void loadThreadBody(), []);

  const isNew = threadId === null;
  return (
    <div className={styles.chat} data-pane={openChunk !== null} {...drop.handlers}>
      <div className={styles.middle} data-new={isNew} data-wide={wide}>
        <div ref={scroller} className={styles.scroller} data-testid="thread">
          <div ref={content} className={styles.turns}>
            {isNew ? (
              <ChatEmpty me={me} onFiles={files.add} onAsk={again} />
            ) : (
              <Suspense fallback={<Waiting />}>
                <h1 className="visually-hidden">{thread.data?.title || "Question"}</h1>
                <ThreadBody {...{ thread, run, isAdmin, wide, openChunk, onOpen }} onRetry={again} />
              </Suspense>
            )}
          </div>
        </div>
        {!isMissing(thread) && (
          <div className={styles.foot}>
            {isAway && (
              <Button small icon="down" className={styles.toFoot} onClick={toFoot}>
                To the newest
              </Button>
            )}
            <Composer
              {...{ threadId, me, isAdmin, onStop }}
              attachments={files.attachments}
              isRunning={isRunning}
              onFiles={files.add}
              onRemoveFile={files.remove}
              onSend={send}
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
