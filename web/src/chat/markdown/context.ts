import type { Source } from "@/api/types";

/** What a block needs to know of its answer to draw its marks. Stable while an answer streams. */
export type Marks = {
  sources: ReadonlyMap<number, Source>;
  known: ReadonlySet<number>;
  /** Sentences with a citation that its passage does not support. */
  unsupported: readonly string[];
};

export function toMarks(sources: readonly Source[], unsupported: readonly string[]): Marks {
  const byNumber = new Map(sources.map((source) => [source.n, source]));
  return { sources: byNumber, known: new Set(byNumber.keys()), unsupported };
}
