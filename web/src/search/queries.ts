/** What the search page reads and asks of the server, over the shared query cache. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, query, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type {
  DocumentList,
  Golden,
  GoldenReport,
  KeptSearch,
  Replayed,
  SearchAnswer,
  WhyAnswer,
} from "@/api/types";
import { showToast } from "@/ui/Toast";
import { type Asked, bodyOf } from "./asked";

/** The results of what was asked; nothing is asked before there is a query. */
export function useSearch(asked: Asked) {
  return useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) =>
      api.post<SearchAnswer>("/api/search", { ...bodyOf(asked), explain: true }, { signal }),
    enabled: asked.query !== "",
    placeholderData: (previous) => previous,
  });
}

export function useWhy(asked: Asked, documentId: string | null) {
  return useQuery({
    queryKey: ["why", asked, documentId],
    queryFn: ({ signal }) =>
      api.post<WhyAnswer>("/api/search/why", { ...bodyOf(asked), document_id: documentId }, { signal }),
    enabled: documentId !== null && asked.query !== "",
  });
}

const OFFERED = 12;

/** Documents whose name holds the words. */
export function useDocumentsNamed(q: string) {
  const filter = { q, limit: OFFERED, sort: "name" };
  return useQuery({
    queryKey: keys.documentList(filter),
    queryFn: async ({ signal }) =>
      (await api.get<DocumentList>(`/api/documents${query(filter)}`, { signal })).items,
    placeholderData: (previous) => previous,
  });
}

export function useKeptSearch(id: string) {
  return useQuery({
    queryKey: ["kept-search", id],
    queryFn: ({ signal }) => api.get<KeptSearch>(`/api/searches/${id}`, { signal }),
  });
}

export function useReplay(id: string) {
  return useMutation({
    mutationFn: () => api.post<Replayed>(`/api/searches/${id}/replay`),
    onError: fail,
  });
}

const GOLDEN = ["golden"] as const;

export function useGolden() {
  return useQuery({
    queryKey: GOLDEN,
    queryFn: async ({ signal }) => (await api.get<{ items: Golden[] }>("/api/golden", { signal })).items,
  });
}

/** Adds a question or deletes one by its id. */
export function useChangeGolden() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (
      change: { add: { question: string; document_ids: string[] } } | { remove: string },
    ) => {
      if ("add" in change) await api.post<Golden>("/api/golden", change.add);
      else await api.delete(`/api/golden/${change.remove}`);
    },
    onError: fail,
    onSettled: () => client.invalidateQueries({ queryKey: GOLDEN }),
  });
}

export function useRunGolden() {
  return useMutation({
    mutationFn: () => api.post<GoldenReport>("/api/golden/run"),
    onError: fail,
  });
}

function fail(error: unknown) {
  showToast({ message: sentence(error), tone: "failed" });
}
