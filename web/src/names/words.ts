/** Names, their neighbours and decisions about them, in words. */
import type { Decision, Name, NameDetail } from "@/api/types";
import { count } from "@/documents/words";

const KINDS: Record<string, string> = {
  person: "Person",
  organisation: "Organisation",
  place: "Place",
  product: "Product",
  code: "Code",
  term: "Term",
};

/** "Person"; "" where it is only known to be a name. */
export function kindWords(kind: string): string {
  return KINDS[kind] ?? "";
}

/** "12 mentions": a passage that holds two spellings mentions it twice. */
export function supportWords({ support }: Pick<Name, "support">): string {
  return count(support, "mention");
}

/** "12 passages in 3 documents" where all of them are at hand, else the mentions. */
export function passagesWords({ support, passages }: Pick<NameDetail, "support" | "passages">): string {
  if (passages.length === 0 || passages.length >= MOST_PASSAGES) return supportWords({ support });
  const documents = new Set(passages.map((passage) => passage.document_id)).size;
  return `${count(passages.length, "passage")} in ${count(documents, "document")}`;
}

/** A name as its documents spell it; names are kept in small letters. */
export function spelled(name: string, { name: best, aliases }: Pick<Name, "name" | "aliases">): string {
  return [best, ...aliases].find((alias) => alias.toLowerCase() === name) ?? name;
}

const MOST_PASSAGES = 50; // as many as the server hands out
const SHOWN = 3;

/** "also AIS, Advanced Info Service and 4 more"; "" where it has one name only. */
export function alsoWords(aliases: readonly string[]): string {
  if (aliases.length === 0) return "";
  const more = aliases.length - SHOWN;
  const shown = aliases.slice(0, SHOWN).join(", ");
  return more > 0 ? `also ${shown} and ${more} more` : `also ${shown}`;
}

/** One sentence of the graph: "Quillon Vex hired merrow", from the side of the name that is shown. */
export function linkWords(
  name: string,
  { kind, outgoing }: Pick<NameDetail["neighbours"][number], "kind" | "outgoing">,
): { before: string; after: string } {
  const words = kind.replaceAll("_", " ");
  return outgoing ? { before: `${name} ${words}`, after: "" } : { before: "", after: `${words} ${name}` };
}

/** "Ada, for everybody, on 5 May" or "you alone, on 5 May": who decided it. */
export function byWords({ for_all, made_by, made_at, undone_at }: Decision): string {
  const who = for_all ? `${made_by ?? "somebody who left"}, for everybody` : "you, for yourself";
  const taken = undone_at ? `, taken back on ${day(undone_at)}` : "";
  return `Decided by ${who}, on ${day(made_at)}${taken}`;
}

function day(iso: string): string {
  return new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "long" });
}

/** Where a passage stands: its page, else its heading. */
export function placeWords({
  page_start,
  heading_path,
}: Pick<NameDetail["passages"][number], "page_start" | "heading_path">): string {
  return page_start !== null ? `page ${page_start}` : (heading_path.at(-1) ?? "");
}
