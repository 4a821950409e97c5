/** Reads from a drawn answer which notes it needs and how far down their lines are. */
export type Anchor = { key: string; n: number; top: number; brief: boolean };

/** One note for each source in each block, in reading order; tops in pixels from the top of `article`. */
export function readAnchors(article: HTMLElement): Anchor[] {
  const origin = article.getBoundingClientRect().top;
  const anchors = new Map<string, Anchor>();
  const seen = new Set<number>();
  for (const mark of article.querySelectorAll<HTMLElement>("[data-n]")) {
    const n = Number(mark.dataset.n);
    const block = mark.closest<HTMLElement>("[data-block]")?.dataset.block ?? "0";
    const key = `${block}:${n}`;
    if (anchors.has(key)) continue;
    anchors.set(key, { key, n, top: mark.getBoundingClientRect().top - origin, brief: seen.has(n) });
    seen.add(n);
  }
  return [...anchors.values()];
}

export function sameAnchors(a: readonly Anchor[], b: readonly Anchor[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => one.key === b[index]?.key && Math.abs(one.top - (b[index]?.top ?? 0)) < 1)
  );
}
