/** Sources of an answer by file, those it cites apart from those that were only read. */
import type { Source } from "@/api/types";
import { splitCitations } from "../markdown/citations";

export type FileSources = { documentId: string; name: string; sources: Source[] };

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

export function citedNumbers(text: string, sources: readonly Source[]): Set<number> {
  const known = new Set(sources.map((source) => source.n));
  const pieces = splitCitations(text.replace(CODE, ""), known);
  return new Set(pieces.flatMap((piece) => (piece.kind === "cite" ? [piece.n] : [])));
}

export function byFile(sources: readonly Source[]): FileSources[] {
  const files = new Map<string, FileSources>();
  for (const source of sources) {
    const file = files.get(source.document_id);
    if (file) file.sources.push(source);
    else
      files.set(source.document_id, { documentId: source.document_id, name: source.name, sources: [source] });
  }
  return [...files.values()];
}
