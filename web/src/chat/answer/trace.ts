/** Puts the trace of a turn into words. */
import type { ToolCall } from "@/api/types";
import { plural, seconds } from "../words";

const NAMES: Record<string, [doing: string, done: string]> = {
  search_documents: ["Searching your documents", "Searched your documents"],
  analyze_document: ["Reading a whole document", "Read a whole document"],
  list_documents: ["Looking through your files", "Looked through your files"],
  read_document: ["Reading lines of a document", "Read lines of a document"],
  send_document: ["Finding the file", "Found the file"],
  query_structured_data: ["Asking your tables", "Asked your tables"],
  search_web: ["Searching the web", "Searched the web"],
  fetch_page: ["Opening a web page", "Opened a web page"],
  hand_over: ["Handing the question over", "Handed the question over"],
};

const COUNTS: Record<string, string> = {
  dense_results: "by meaning",
  sparse_results: "by words",
  graph_results: "by relations",
  rrf_candidates: "together",
};
const TIMED_AS: Record<string, string> = {
  dense_results: "dense",
  sparse_results: "keyword",
  graph_results: "graph",
};
const ORDER = Object.keys(COUNTS);
const ARMS = ["dense_results", "sparse_results", "graph_results"];

export type Step = { tool: ToolCall; inner: Step[] };

/** Tool calls as a tree: those of a sub-agent under the call that set it to work (B14). */
export function toSteps(tools: readonly ToolCall[]): Step[] {
  const steps = new Map(tools.map((tool): [string, Step] => [tool.id, { tool, inner: [] }]));
  const roots: Step[] = [];
  for (const step of steps.values()) {
    const parent = step.tool.parent_id ? steps.get(step.tool.parent_id) : undefined;
    (parent && parent !== step ? parent.inner : roots).push(step);
  }
  return roots;
}

export function isRunning({ state }: ToolCall): boolean {
  return state === "started" || state === "progress";
}

/** Whether a step reads one part of a document that is read whole. */
export function isPart({ name }: ToolCall): boolean {
  return name === "read_window";
}

export function toolName(tool: ToolCall): string {
  if (isPart(tool) && tool.arguments?.window) return partName(tool.arguments);
  const plain = tool.name.replaceAll("_", " ");
  const [doing, done] = NAMES[tool.name] ?? [plain, plain];
  return isRunning(tool) || tool.state === "failed" ? doing : done;
}

/** "Part 3, pages 4–6" */
function partName({ window, ...rest }: Record<string, unknown>): string {
  const pages = pagesOf(rest);
  return pages ? `Part ${window}, ${pages}` : `Part ${window}`;
}

function pagesOf({ page_start: first, page_end: last }: Record<string, unknown>): string | null {
  if (typeof first !== "number") return null;
  return last === first || typeof last !== "number" ? `page ${first}` : `pages ${first}–${last}`;
}

/** How far a long tool has come, 0 to 1, with its counts; null where it does not say. */
export function progressOf(
  tools: readonly ToolCall[],
): { done: number; total: number; share: number } | null {
  const { done, total } = tools.find((tool) => isRunning(tool) && tool.result?.total)?.result ?? {};
  if (typeof done !== "number" || typeof total !== "number" || total <= 0) return null;
  return { done, total, share: Math.min(1, done / total) };
}

/** "Searched 2 ways, read 8 passages, 0.4 s": one line for all tools of a turn. */
export function summarise(all: readonly ToolCall[]): string {
  const tools = toSteps(all).map((step) => step.tool);
  const running = tools.find(isRunning);
  if (running) {
    const progress = progressOf([running]);
    return `${toolName(running)}${progress ? `, ${progress.done} of ${progress.total} parts read` : ""}…`;
  }
  const searches = tools.filter((tool) => tool.name === "search_documents");
  const ways = Math.max(0, ...searches.map((tool) => armsOf(tool)));
  const passages = searches.reduce((sum, tool) => sum + (tool.result?.passages ?? 0), 0);
  const others = tools
    .filter((tool) => tool.name !== "search_documents" && tool.state === "done")
    .map((tool) => toolName(tool).toLowerCase());
  const failed = tools.filter((tool) => tool.state === "failed").length;
  const parts = [
    searches.length > 0 &&
      (ways > 0 ? `searched ${ways === 1 ? "1 way" : `${ways} ways`}` : "searched your documents"),
    searches.length > 0 && `read ${plural(passages, "passage")}`,
    ...new Set(others),
    failed > 0 && (failed === 1 ? "one step failed" : `${failed} steps failed`),
    seconds(tools.reduce((sum, tool) => sum + (tool.ms ?? 0), 0)),
  ].filter(Boolean);
  const line = parts.join(", ");
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** Arms that found something. */
function armsOf(tool: ToolCall): number {
  const counts = tool.result?.counts ?? {};
  return ARMS.filter((arm) => (counts[arm] ?? 0) > 0).length;
}

/** What each way of searching that was taken found, and how long it took; unknown counts keep their own name. */
export function countsOf(tool: ToolCall): { label: string; count: number; ms: number | null }[] {
  const timings = tool.result?.timings_ms ?? {};
  return Object.entries(tool.result?.counts ?? {})
    .sort(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map(([name, count]) => ({
      label: COUNTS[name] ?? name.replaceAll("_", " "),
      count,
      ms: timings[TIMED_AS[name] ?? name] ?? null,
    }))
    .filter(({ count, ms }) => count > 0 || ms !== null);
}

const OUTCOMES: Record<string, string> = {
  private_text: "Not searched: the question could carry words of your documents out of the house.",
  web_unavailable: "The web search did not answer.",
  no_such_document: "No file has such a name.",
  several_documents: "Several files have such a name.",
  not_for_guests: "Files are for people with an account.",
  delivered: "It has arrived.",
  not_delivered: "It could not be delivered.",
};

/** What came of a step, where its counts do not say it. */
export function outcomeOf({ result }: ToolCall): string | null {
  const code = result?.code;
  return typeof code === "string" ? (OUTCOMES[code] ?? code.replaceAll("_", " ")) : null;
}

const TOLD = ["page_start", "page_end", "window", "passages"]; // by the name of a step

/** Arguments as text. */
export function argumentsOf(tool: ToolCall): { name: string; value: string }[] {
  return Object.entries(tool.arguments ?? {})
    .filter(([name, value]) => !TOLD.includes(name) && value !== null && value !== undefined && value !== "")
    .map(([name, value]) => ({ name: name.replaceAll("_", " "), value: textOf(value) }));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(textOf).join(", ") : JSON.stringify(value);
}
