import { useEffect, useMemo, useRef } from "react";
import type { Source } from "@/api/types";
import { toMarks } from "../markdown/context";
import { Markdown } from "../markdown/Markdown";
import { useLighting } from "../notes/lighting";
import { MarginNotes } from "../notes/MarginNotes";
import { NoteCard } from "../notes/NoteCard";
import type { Answer } from "../turns";
import { AnswerBar } from "./AnswerBar";
import { AnswerError } from "./AnswerError";
import styles from "./AnswerView.module.css";
import { Excluded } from "./Excluded";
import { FileCards } from "./FileCards";
import { sayExpanded, useMarks } from "./marks";
import { SourceList } from "./SourceList";
import { Thinking } from "./Thinking";
import { TraceLine } from "./TraceLine";
import { waitingWords } from "./waiting";

export type AnswerViewProps = {
  answer: Answer;
  questionId: string | null;
  isAdmin: boolean;
  /** Room for notes in the margin; without it they unfold beneath their block. */
  wide: boolean;
  openChunk: string | null;
  onOpen: (source: Source) => void;
  onRetry: (() => void) | null;
};

const NONE: readonly string[] = [];

/** One answer: what was done for it, its text with notes, how far it is grounded, and its sources. */
export function AnswerView({ answer, questionId, isAdmin, wide, openChunk, ...does }: AnswerViewProps) {
  const { onOpen } = does;
  const root = useRef<HTMLDivElement>(null);
  const article = useRef<HTMLElement>(null);
  const unsupported = answer.grounding?.unsupported ?? NONE;
  const marks = useMemo(() => toMarks(answer.sources, unsupported), [answer.sources, unsupported]);
  const options = { answerId: answer.id, wide, isPaneOpen: openChunk !== null, onOpen };
  const [unfolded, onMark] = useMarks(marks.sources, options);
  useEffect(() => sayExpanded(article.current, unfolded));
  useLighting(root);

  const beneath = (block: number) => {
    const source = unfolded?.block === block ? marks.sources.get(unfolded.n) : undefined;
    return source && <NoteCard source={source} isOpen={openChunk === source.chunk_id} onOpen={onOpen} />;
  };
  return (
    <div
      ref={root}
      className={styles.answer}
      data-state={answer.streaming ? "streaming" : answer.kind}
      data-excluded={answer.stored?.excluded}
    >
      <div className={styles.before}>
        <TraceLine tools={answer.tools} waiting={waitingWords(answer)} />
        <Thinking text={answer.thinking} isCurrent={answer.streaming && answer.text === ""} />
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: marks inside are buttons, whose clicks come from keys as well */}
      <article ref={article} className={styles.article} aria-busy={answer.streaming} onClick={onMark}>
        <Markdown text={answer.text} marks={marks} streaming={answer.streaming} beneath={beneath} />
      </article>
      {wide && (
        <MarginNotes
          article={article}
          text={answer.text}
          sources={marks.sources}
          openChunk={openChunk}
          onOpen={onOpen}
        />
      )}
      <After answer={answer} questionId={questionId} isAdmin={isAdmin} openChunk={openChunk} {...does} />
    </div>
  );
}

type AfterProps = Omit<AnswerViewProps, "wide">;

/** What follows the text: files, what went wrong, what can be done with it, its sources. */
function After({ answer, questionId, isAdmin, openChunk, onOpen, onRetry }: AfterProps) {
  const files = <FileCards tools={answer.tools} />;
  if (answer.streaming) {
    return (
      <div className={styles.after}>
        {files}
        {answer.isLost && <p className={styles.remark}>The connection is gone. Trying again…</p>}
      </div>
    );
  }
  const unfinished = UNFINISHED[answer.finish ?? "complete"];
  return (
    <div className={styles.after}>
      {files}
      {answer.error && <AnswerError error={answer.error} isAdmin={isAdmin} onRetry={onRetry} />}
      {unfinished && <p className={styles.remark}>{unfinished} The answer may be incomplete.</p>}
      {answer.stored?.excluded && <Excluded answerId={answer.id} />}
      <AnswerBar answer={answer} questionId={questionId} isAdmin={isAdmin} />
      <SourceList text={answer.text} sources={answer.sources} openChunk={openChunk} onOpen={onOpen} />
    </div>
  );
}

const UNFINISHED = { complete: null, stopped: "Stopped.", length: "The model ran out of room." };
