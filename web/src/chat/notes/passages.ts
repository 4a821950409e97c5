import { useQuery } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keys } from "@/api/keys";
import type { Passage, Source } from "@/api/types";

/** The words of a source: those that came with it, else read once from the server. Undefined while they load. */
export function usePassageText(source: Source): string | undefined {
  const passage = useQuery({
    queryKey: keys.passage(source.chunk_id ?? ""),
    queryFn: () => api.get<Passage>(`/api/passages/${source.chunk_id}`),
    enabled: !source.snippet && !source.deleted && source.chunk_id !== null,
    staleTime: 5 * 60_000,
  });
  if (source.deleted) return "This document was deleted, or is not shared with you any more.";
  if (source.snippet || source.chunk_id === null) return source.snippet ?? "";
  if (passage.data?.state === "deleted") return "This document has been deleted.";
  return passage.data?.text;
}
