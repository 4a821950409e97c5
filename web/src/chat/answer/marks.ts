/** The numbers in an answer's text: what a press on one does, and how readers are told. */
import { type MouseEvent, useState } from "react";
import type { Source } from "@/api/types";
import { isWeb } from "../words";

export type Unfolded = { answerId: string; block: number; n: number };

type MarksOptions = {
  answerId: string;
  wide: boolean;
  isPaneOpen: boolean;
  onOpen: (source: Source) => void;
};

/**
 * What a press on a mark does: open the source where its note is in the margin, else unfold the note beneath the block;
 * both while the pane is open. The note stays unfolded behind the pane, which gives the focus back to it. A page of
 * the web has no pane: its note, which links to it, unfolds where it is not in the margin anyway.
 */
export function useMarks(sources: ReadonlyMap<number, Source>, options: MarksOptions) {
  const { answerId, wide, isPaneOpen, onOpen } = options;
  const [unfolded, setUnfolded] = useState<Unfolded | null>(null);
  const isAt = (block: number, n: number) =>
    unfolded?.answerId === answerId && unfolded.block === block && unfolded.n === n;
  const onMark = (event: MouseEvent) => {
    const mark = (event.target as Element).closest<HTMLElement>("button[data-n]");
    if (!mark) return;
    const n = Number(mark.dataset.n);
    const block = Number(mark.closest<HTMLElement>("[data-block]")?.dataset.block);
    const source = sources.get(n);
    if (source && !isWeb(source) && (wide || isPaneOpen)) onOpen(source);
    setUnfolded(!isPaneOpen && isAt(block, n) ? null : { answerId, block, n });
  };
  return [wide || unfolded?.answerId !== answerId ? null : unfolded, onMark] as const;
}

/** Tells screen readers which mark is unfolded, on the drawn marks: redrawing every block for it would be dear. */
export function sayExpanded(article: HTMLElement | null, unfolded: Unfolded | null) {
  const open = unfolded && `[data-block="${unfolded.block}"] button[data-n="${unfolded.n}"]`;
  for (const mark of article?.querySelectorAll("button[aria-expanded]") ?? [])
    mark.removeAttribute("aria-expanded");
  if (open) article?.querySelector(open)?.setAttribute("aria-expanded", "true");
}
