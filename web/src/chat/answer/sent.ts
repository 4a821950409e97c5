import type { ToolCall } from "@/api/types";

export type SentFile = { documentId: string; name: string; url: string };

/** Files that `send_document` has handed over, each once. Only addresses of documents here count as such. */
export function sentFiles(tools: readonly ToolCall[]): SentFile[] {
  const files = new Map<string, SentFile>();
  for (const { name: tool, state, result } of tools) {
    if (tool !== "send_document" || state !== "done" || !result) continue;
    const { document_id: documentId, name, url } = result;
    const isFile = typeof documentId === "string" && typeof name === "string" && typeof url === "string";
    if (isFile && url.startsWith("/api/documents/")) files.set(documentId, { documentId, name, url });
  }
  return [...files.values()];
}
