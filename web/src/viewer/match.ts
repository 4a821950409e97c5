/** Finds a passage inside text that was cut up differently (PDF text runs, blocks), letter by letter. */

/** A half-open range of UTF-16 offsets in the text of one item. */
export interface ItemRange {
  item: number;
  start: number;
  end: number;
}

interface Letters {
  text: string;
  /** For each letter of `text`: the item it came from and its offset there. */
  item: number[];
  offset: number[];
  length: number[];
}

// Eight letters in a row are rarely shared by chance inside a passage's own boxes, and still short
// enough for a table cell with its neighbour ("sales3611").
const SEED = 8;
// A gap this small between two matches is a ligature, a footnote mark or a currency sign.
const BRIDGE = 4;
// A shorter run in the middle of an item is a word that both happen to use ("sentence").
const RUN = 16;
// Below half of the letters, words would mislead more than the boxes do.
const ENOUGH = 0.5;

const LETTER = /[\p{L}\p{N}]/u;

/** Letters and digits only, compatibility-folded and lower case, each with where it came from. */
function lettersOf(items: readonly string[]): Letters {
  const out: Letters = { text: "", item: [], offset: [], length: [] };
  items.forEach((value, item) => {
    let offset = 0;
    for (const char of value) {
      for (const folded of char.normalize("NFKC").toLowerCase()) {
        if (!LETTER.test(folded)) continue;
        out.text += folded;
        for (let unit = 0; unit < folded.length; unit += 1) {
          out.item.push(item);
          out.offset.push(offset);
          out.length.push(char.length);
        }
      }
      offset += char.length;
    }
  });
  return out;
}

function seedsOf(text: string): Map<string, number[]> {
  const seeds = new Map<string, number[]>();
  for (let at = 0; at + SEED <= text.length; at += 1) {
    const seed = text.slice(at, at + SEED);
    const known = seeds.get(seed);
    if (known) known.push(at);
    else seeds.set(seed, [at]);
  }
  return seeds;
}

/** A stretch that page and passage share: where it begins in each, and its length in letters. */
interface Run {
  page: number;
  passage: number;
  length: number;
}

function longestFrom(page: string, at: number, passage: string, starts: readonly number[]): Run {
  const best: Run = { page: at, passage: 0, length: 0 };
  for (const start of starts) {
    let length = SEED;
    while (
      at + length < page.length &&
      start + length < passage.length &&
      page[at + length] === passage[start + length]
    ) {
      length += 1;
    }
    if (length > best.length) Object.assign(best, { passage: start, length });
  }
  return best;
}

function sharedRuns(page: string, passage: string): Run[] {
  const seeds = seedsOf(passage);
  const runs: Run[] = [];
  for (let at = 0; at + SEED <= page.length; ) {
    const starts = seeds.get(page.slice(at, at + SEED));
    const run = starts ? longestFrom(page, at, passage, starts) : null;
    if (run) runs.push(run);
    at += Math.max(1, run?.length ?? 0);
  }
  return runs;
}

/** The runs that stand in the passage's own order and hold the most letters together. */
function inOrder(runs: readonly Run[]): ReadonlySet<Run> {
  const letters: number[] = [];
  const before: (number | null)[] = [];
  runs.forEach((run, index) => {
    let best: number | null = null;
    for (let other = 0; other < index; other += 1) {
      const fits = (runs[other] as Run).passage < run.passage;
      if (fits && (best === null || (letters[other] as number) > (letters[best] as number))) best = other;
    }
    letters.push(run.length + (best === null ? 0 : (letters[best] as number)));
    before.push(best);
  });
  const kept = new Set<Run>();
  let at: number | null = letters.length > 0 ? letters.indexOf(Math.max(...letters)) : null;
  while (at !== null) {
    kept.add(runs[at] as Run);
    at = before[at] ?? null;
  }
  return kept;
}

/**
 * Which letters of `page` belong to `passage`. A run out of the passage's order is a phrase that occurs twice,
 * unless it is made of whole items: cells of a table may be read in another order than they are printed.
 */
function markLetters(page: Letters, passage: string, items: readonly string[]): boolean[] {
  const marked = new Array<boolean>(page.text.length).fill(false);
  const runs = sharedRuns(page.text, passage);
  const ordered = inOrder(runs);
  for (const run of runs) {
    if (ordered.has(run) || isWhole(page, run.page, run.page + run.length)) {
      marked.fill(true, run.page, run.page + run.length);
    }
  }
  for (let from = 0; from < marked.length; ) {
    let to = from;
    while (to < marked.length && page.item[to] === page.item[from]) to += 1;
    const value = page.text.slice(from, to);
    const whole = items[page.item[from] as number] as string;
    if (value.length < SEED && whole.trim() !== "" && passage.includes(value)) marked.fill(true, from, to);
    from = to;
  }
  return marked;
}

/** Whether the letters from `from` up to `to` are all the letters of their items. */
function isWhole(page: Letters, from: number, to: number): boolean {
  return page.item[from] !== page.item[from - 1] && page.item[to] !== page.item[to - 1];
}

function bridge(marked: boolean[]): void {
  let last = -1;
  for (let at = 0; at < marked.length; at += 1) {
    if (!marked[at]) continue;
    if (last >= 0 && at - last - 1 <= BRIDGE) marked.fill(true, last, at);
    last = at;
  }
}

/** Runs too short to be the passage stay only where they are whole items. */
function dropStrays(marked: boolean[], page: Letters): void {
  for (let from = 0; from < marked.length; from += 1) {
    if (!marked[from]) continue;
    let to = from;
    while (marked[to]) to += 1;
    if (to - from < RUN && !isWhole(page, from, to)) marked.fill(false, from, to);
    from = to;
  }
}

/**
 * The ranges of `items` that hold the words of `passage`, or null when fewer than half of the letters
 * are found and the caller had better mark whole boxes. `items` should already be limited to those boxes.
 */
export function matchPassage(items: readonly string[], passage: string): ItemRange[] | null {
  const page = lettersOf(items);
  const wanted = lettersOf([passage]).text;
  if (page.text.length === 0 || wanted.length === 0) return null;
  const marked = markLetters(page, wanted, items);
  bridge(marked);
  dropStrays(marked, page);
  const found = marked.filter(Boolean).length;
  if (found / Math.min(wanted.length, page.text.length) < ENOUGH) return null;

  const ranges: ItemRange[] = [];
  marked.forEach((isMarked, at) => {
    if (!isMarked) return;
    const item = page.item[at] as number;
    const start = page.offset[at] as number;
    const end = start + (page.length[at] as number);
    const open = ranges.at(-1);
    if (open && open.item === item && marked[at - 1]) open.end = Math.max(open.end, end);
    else ranges.push({ item, start, end });
  });
  return ranges;
}
