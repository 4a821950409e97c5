/** Sources of an answer by file, those it cites apart from those that were only read. */
import type { Source } from "@/api/types";
import { splitCitations } from "../markdown/citations";
import { isWeb } from "../words";

/** Passages of one document, or one page of the web with its address. */
export type FileSources = { key: string; name: string; url: string | null; sources: Source[] };

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;

export function citedNumbers(text: string, sources: readonly Source[]): Set<number> {
  const known = new Set(sources.map((source) => source.n));
  const pieces = splitCitations(text.replace(CODE, ""), known);
  return new Set(pieces.flatMap((piece) => (piece.kind === "cite" ? [piece.n] : [])));
}

export function byFile(sources: readonly Source[]): FileSources[] {
  const files = new Map<string, FileSources>();
  for (const source of sources) {
    const key = source.document_id ?? source.url ?? source.name;
    const file = files.get(key);
    if (file) file.sources.push(source);
    else files.set(key, { key, name: nameOf(source), url: source.url ?? null, sources: [source] });
  }
  return [...files.values()];
}

/** A page of the web is known by its title; its host stands beside it. */
function nameOf(source: Source): string {
  return (isWeb(source) && source.title) || source.name;
}
