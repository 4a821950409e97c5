/** Where margin notes go: each as near to its line as it can be, in order, none over another. */
export type Wanted = { top: number; height: number };

type Group = { from: number; to: number; offsetSum: number; height: number };

/**
 * Tops in pixels for notes given in reading order. Notes that would overlap are set as one group around the mean of
 * where they want to be (isotonic regression by pooling), so a crowd spreads both ways instead of only down.
 */
export function layoutNotes(wanted: readonly Wanted[], gap: number): number[] {
  const groups: Group[] = [];
  wanted.forEach((note, index) => {
    groups.push({ from: index, to: index, offsetSum: note.top, height: note.height + gap });
    for (;;) {
      const last = groups.at(-1);
      const before = groups.at(-2);
      if (!last || !before || topOf(before) + before.height <= topOf(last)) break;
      groups.splice(-2, 2, merge(before, last));
    }
  });
  return groups.flatMap((group) => placeGroup(group, wanted, gap));
}

function topOf(group: Group): number {
  return Math.max(0, group.offsetSum / (group.to - group.from + 1));
}

/** In a merged group every note counts by where the group's top would be for it. */
function merge(a: Group, b: Group): Group {
  const count = b.to - b.from + 1;
  return {
    from: a.from,
    to: b.to,
    offsetSum: a.offsetSum + b.offsetSum - count * a.height,
    height: a.height + b.height,
  };
}

function placeGroup(group: Group, wanted: readonly Wanted[], gap: number): number[] {
  let top = topOf(group);
  return wanted.slice(group.from, group.to + 1).map((note) => {
    const place = top;
    top += note.height + gap;
    return place;
  });
}
