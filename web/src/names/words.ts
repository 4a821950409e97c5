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

/** "12 passages in 3 documents". */
export function supportWords({ support, documents }: Pick<Name, "support" | "documents">): string {
  return `${count(support, "passage")} in ${count(documents, "document")}`;
}

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
