import { lazy, Suspense, useCallback, useEffect, useRef } from "react";
import { useThread } from "@/api/queries";
import type { Me, Source } from "@/api/types";
import { useTitle } from "@/app/title";
import { Waiting } from "@/app/Waiting";
import { Button } from "@/ui/Button";
import { useOpenSource } from "@/viewer/openSource";
import { SourceSplit } from "@/viewer/SourceSplit";
import { ActionsContext, useThreadActions } from "./actions";
import { useAnnouncement } from "./announce";
import { isMissing, useAsking } from "./asking";
import { ChatEmpty } from "./ChatEmpty";
import styles from "./ChatPage.module.css";
import { useAttachments } from "./composer/attachments";
import { Composer } from "./composer/Composer";
import { useFileDrop } from "./composer/drop";
import { lastQuestion } from "./questions";
import { useIsWide, useStickToFoot } from "./scroll";
import { useStopKey } from "./stopping";
import { useOtherTabs } from "./tabs";

const loadThreadBody = () => import("./ThreadBody"); // Markdown and notes: not needed where a thread begins
const ThreadBody = lazy(loadThreadBody);
const ROOM_FOR_NOTES = 800; // pixels: a column of 65 characters, a gutter and a margin one can read

type ChatPageProps = {
  /** Null for a guest. */
  me: Me | null;
  isAdmin: boolean;
  threadId: string | null;
};

/** A thread, or the place where one begins. */
export function ChatPage({ me, isAdmin, threadId }: ChatPageProps) {
  useOtherTabs();
  const thread = useThread(threadId);
  const files = useAttachments(me?.limits ?? null);
  const drop = useFileDrop(files.add);
  const source = useOpenSource();
  const { open: openChunk, onOpen: openSource } = source;
  const activeRun = thread.data?.active_run ?? null;
  const onAsked = () => {
    files.clear();
    toFoot();
  };
  const asking = useAsking({ threadId, activeRun, isGuest: me === null, onAsked });
  const { run, isRunning, send, again, onStop } = asking;
  const actions = useThreadActions({ threadId, isGuest: me === null, isBusy: isRunning, onAsked });
  useTitle(thread.data?.title ?? null);
  useStopKey(openChunk ? null : onStop);
  const announcement = useAnnouncement(run);

  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const wide = useIsWide(scroller, ROOM_FOR_NOTES);
  const opened = isRunning || activeRun ? "writing" : thread.data ? "reading" : null;
  const { isAway, toFoot } = useStickToFoot(scroller, content, opened);
  const onOpen = useCallback(({ chunk_id }: Source) => openSource(chunk_id), [openSource]);
  const onEditLast = () => actions?.edit(lastQuestion(thread.data?.messages ?? []));

  useEffect(() => void loadThreadBody(), []);

  const isNew = threadId === null;
  return (
    <SourceSplit
      source={source}
      isGuest={me === null}
      className={styles.chat}
      paneClass={styles.pane}
      {...drop.handlers}
    >
      <div className={styles.middle} data-new={isNew} data-wide={wide}>
        <div ref={scroller} className={styles.scroller} data-testid="thread">
          <div ref={content} className={styles.turns}>
            {isNew ? (
              <ChatEmpty me={me} onFiles={(chosen) => files.add?.(chosen)} onAsk={again} />
            ) : (
              <Suspense fallback={<Waiting />}>
                <h1 className="visually-hidden">{thread.data?.title || "Question"}</h1>
                <ActionsContext value={actions}>
                  <ThreadBody {...{ thread, run, isAdmin, wide, openChunk, onOpen }} onRetry={again} />
                </ActionsContext>
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
              {...{ threadId, me, isAdmin, isRunning, onStop, onEditLast }}
              attachments={files.attachments}
              onFiles={files.add}
              onRemoveFile={files.remove}
              onSend={send}
            />
          </div>
        )}
      </div>
      {drop.isOver && <div className={styles.drop}>Drop the files to add them to your documents</div>}
      <div className="visually-hidden" role="status">
        {announcement}
      </div>
    </SourceSplit>
  );
}
