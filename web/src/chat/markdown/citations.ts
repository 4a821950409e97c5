/** Finds the numbers that cite a source in plain text: [1], [1][2], [1, 2]. */
export type Piece = { kind: "text"; text: string } | { kind: "cite"; n: number };

const CITATION = /\s*\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/g;

/** Cuts text at its citations. A bracket without a known number stays text; unknown numbers beside a known one go. */
export function splitCitations(text: string, known: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(CITATION)) {
    const numbers = (match[1] ?? "")
      .split(/[,;]/)
      .map(Number)
      .filter((n) => known.has(n));
    if (numbers.length === 0) continue;
    if (match.index > from) pieces.push({ kind: "text", text: text.slice(from, match.index) });
    for (const n of new Set(numbers)) pieces.push({ kind: "cite", n });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: "text", text: text.slice(from) });
  return pieces;
}
