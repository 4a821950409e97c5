// The server ends an answer with this sentence when the web may be searched only after a yes.
const OFFER = /Shall I search the web for [“"](.+?)[”"]\?\s*$/s;

/** The words that would be searched for on the web, if the answer ends by offering that. */
export function offeredQuery(text: string): string | null {
  return OFFER.exec(text)?.[1]?.replace(/\s+/g, " ").trim() || null;
}
