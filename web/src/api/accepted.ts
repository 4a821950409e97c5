/** What can be added, in words for people: sixty endings are a dozen kinds. */

const KINDS: [name: string, endings: string][] = [
  ["PDF", "pdf"],
  ["Word", "docx"],
  ["PowerPoint", "pptx"],
  ["Excel", "xlsx"],
  ["CSV", "csv tsv"],
  ["web pages", "html htm"],
  ["Markdown", "md markdown"],
  ["text", "txt rst log"],
  ["e-mail", "eml msg"],
  ["EPUB", "epub"],
  ["pictures", "png jpg jpeg"],
  ["data files", "json jsonl ndjson xml yaml yml toml ini cfg conf properties env"],
  [
    "source code",
    "py pyi js mjs cjs jsx ts tsx java kt go rs c h cc cpp hpp cs rb php swift scala sh bash ps1 sql css scss lua r pl",
  ],
];
const KIND_OF = new Map(KINDS.flatMap(([name, endings]) => endings.split(" ").map((one) => [one, name])));

/** "PDF, Word and web pages" of [".pdf", ".docx", ".html", ".htm"]; an ending of no known kind stands for itself. */
export function acceptedWords(accepted: readonly string[]): string {
  const endings = accepted.map((one) => one.replace(/^\./, ""));
  const named = endings.map((ending) => KIND_OF.get(ending) ?? ending.toUpperCase());
  const order = [...KINDS.map(([name]) => name), ...named];
  const names = [...new Set(order.filter((name) => named.includes(name)))];
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
