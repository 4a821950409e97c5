/** Puts the trace of a turn into words. */
import type { ToolCall } from "@/api/types";
import { plural, seconds } from "../words";

const NAMES: Record<string, [doing: string, done: string]> = {
  search_documents: ["Searching your documents", "Searched your documents"],
  analyze_document: ["Reading a document", "Read a document"],
  query_structured_data: ["Asking your tables", "Asked your tables"],
  search_web: ["Searching the web", "Searched the web"],
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

export function toolName(tool: ToolCall): string {
  const [doing, done] = NAMES[tool.name] ?? [tool.name, tool.name];
  return tool.state === "started" || tool.state === "progress" ? doing : done;
}

/** "Searched 2 ways, read 8 passages, 0.4 s": one line for all tools of a turn. */
export function summarise(tools: readonly ToolCall[]): string {
  const running = tools.find((tool) => tool.state === "started" || tool.state === "progress");
  if (running) return `${toolName(running)}…`;
  const searches = tools.filter((tool) => tool.name === "search_documents");
  const ways = Math.max(0, ...searches.map((tool) => armsOf(tool)));
  const passages = searches.reduce((sum, tool) => sum + (tool.result?.passages ?? 0), 0);
  const others = tools
    .filter((tool) => tool.name !== "search_documents")
    .map((tool) => toolName(tool).toLowerCase());
  const parts = [
    searches.length > 0 &&
      (ways > 0 ? `searched ${ways === 1 ? "1 way" : `${ways} ways`}` : "searched your documents"),
    searches.length > 0 && `read ${plural(passages, "passage")}`,
    ...new Set(others),
    tools.some((tool) => tool.state === "failed") && "one step failed",
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

/** Arguments as text, the long ones cut. */
export function argumentsOf(tool: ToolCall): { name: string; value: string }[] {
  return Object.entries(tool.arguments ?? {})
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ({
      name: name.replaceAll("_", " "),
      value: typeof value === "string" ? value : JSON.stringify(value),
    }));
}
