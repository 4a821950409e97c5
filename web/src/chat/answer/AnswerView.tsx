import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import type { Source } from "@/api/types";
import { IconButton } from "@/ui/IconButton";
import { useCopy } from "../copy";
import { toMarks } from "../markdown/context";
import { Markdown } from "../markdown/Markdown";
import { useLighting } from "../notes/lighting";
import { MarginNotes } from "../notes/MarginNotes";
import { NoteCard } from "../notes/NoteCard";
import type { Answer } from "../turns";
import { isSmallTalk, seconds } from "../words";
import { AnswerError } from "./AnswerError";
import styles from "./AnswerView.module.css";
import { GroundingMark } from "./GroundingMark";
import { SourceList } from "./SourceList";
import { Thinking } from "./Thinking";
import { TraceLine } from "./TraceLine";

export type AnswerViewProps = {
  answer: Answer;
  isAdmin: boolean;
  /** Room for notes in the margin; without it they unfold beneath their block. */
  wide: boolean;
  openChunk: string | null;
  onOpen: (source: Source) => void;
  onRetry: (() => void) | null;
};

const NONE: readonly string[] = [];

/** One answer: what was done for it, its text with notes, how far it is grounded, and its sources. */
export function AnswerView({ answer, isAdmin, wide, openChunk, onOpen, onRetry }: AnswerViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const article = useRef<HTMLElement>(null);
  const unsupported = answer.grounding?.unsupported ?? NONE;
  const marks = useMemo(() => toMarks(answer.sources, unsupported), [answer.sources, unsupported]);
  const [unfolded, onMark] = useMarks(marks.sources, { wide, isPaneOpen: openChunk !== null, onOpen });
  useEffect(() => sayExpanded(article.current, unfolded));
  useLighting(root);

  const beneath = (block: number) => {
    const source = unfolded?.block === block ? marks.sources.get(unfolded.n) : undefined;
    return source && <NoteCard source={source} isOpen={openChunk === source.chunk_id} onOpen={onOpen} />;
  };
  return (
    <div ref={root} className={styles.answer} data-state={answer.streaming ? "streaming" : answer.kind}>
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
      {!answer.streaming && (
        <div className={styles.after}>
          {answer.error && <AnswerError error={answer.error} isAdmin={isAdmin} onRetry={onRetry} />}
          {answer.finish === "stopped" && (
            <p className={styles.remark}>Stopped. The answer may be incomplete.</p>
          )}
          {answer.finish === "length" && (
            <p className={styles.remark}>The model ran out of room. The answer may be incomplete.</p>
          )}
          <Foot answer={answer} />
          <SourceList text={answer.text} sources={answer.sources} openChunk={openChunk} onOpen={onOpen} />
        </div>
      )}
    </div>
  );
}

function Foot({ answer }: { answer: Answer }) {
  const [copied, copy] = useCopy();
  if (answer.text === "") return null;
  const by = [answer.model, answer.ms !== null && seconds(answer.ms)].filter(Boolean).join(", ");
  return (
    <div className={styles.foot}>
      {answer.grounding && !isSmallTalk(answer.grounding) && <GroundingMark grounding={answer.grounding} />}
      <span className={styles.by}>{by}</span>
      <IconButton
        small
        icon={copied ? "check" : "copy"}
        label={copied ? "Copied" : "Copy the answer"}
        onClick={() => copy(answer.text)}
      />
    </div>
  );
}

type Unfolded = { block: number; n: number } | null;

type MarksOptions = { wide: boolean; isPaneOpen: boolean; onOpen: (source: Source) => void };

/**
 * What a press on a mark does: open the source where its note is in the margin, else unfold the note beneath the block;
 * both while the pane is open. The note stays unfolded behind the pane, which gives the focus back to it.
 */
function useMarks(sources: ReadonlyMap<number, Source>, { wide, isPaneOpen, onOpen }: MarksOptions) {
  const [unfolded, setUnfolded] = useState<Unfolded>(null);
  const onMark = (event: MouseEvent) => {
    const mark = (event.target as Element).closest<HTMLElement>("button[data-n]");
    if (!mark) return;
    const n = Number(mark.dataset.n);
    const block = Number(mark.closest<HTMLElement>("[data-block]")?.dataset.block);
    const source = sources.get(n);
    if (source && (wide || isPaneOpen)) onOpen(source);
    setUnfolded((now) => (!isPaneOpen && now?.block === block && now.n === n ? null : { block, n }));
  };
  return [wide ? null : unfolded, onMark] as const;
}

/** Tells screen readers which mark is unfolded, on the drawn marks: redrawing every block for it would be dear. */
function sayExpanded(article: HTMLElement | null, unfolded: Unfolded) {
  const open = unfolded && `[data-block="${unfolded.block}"] button[data-n="${unfolded.n}"]`;
  for (const mark of article?.querySelectorAll("button[aria-expanded]") ?? [])
    mark.removeAttribute("aria-expanded");
  if (open) article?.querySelector(open)?.setAttribute("aria-expanded", "true");
}

function waitingWords(answer: Answer): string | null {
  if (!answer.streaming || answer.text !== "" || answer.thinking !== "") return null;
  if (answer.pause !== null) return `the model is busy, trying again in ${Math.ceil(answer.pause)} s…`;
  return answer.tools.length === 0 ? "Starting…" : "writing…";
}
