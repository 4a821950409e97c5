/** Names of everything the query cache holds. A prefix invalidates all below it. */
export const keys = {
  me: ["me"] as const,
  setup: ["setup"] as const,
  threads: (q = "") => (q ? (["threads", q] as const) : (["threads"] as const)),
  thread: (id: string) => ["thread", id] as const,
  suggestions: ["suggestions"] as const,
  documents: ["documents"] as const,
  documentList: (filter: Record<string, unknown>) => ["documents", filter] as const,
  document: (id: string) => ["document", id] as const,
  documentPage: (id: string, page: number) => ["document", id, "page", page] as const,
  documentChunks: (id: string) => ["document", id, "chunks"] as const,
  passage: (chunkId: string) => ["passage", chunkId] as const,
  folders: ["folders"] as const,
  settings: ["settings"] as const,
  detected: ["detected"] as const,
  users: ["users"] as const,
  invitations: ["invitations"] as const,
};
