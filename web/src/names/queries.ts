/** What the page of names reads and decides. A decision changes every one of these, so all are read again. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, query, sentence } from "@/api/client";
import { useMe } from "@/api/queries";
import type { Decision, Lookalike, Name, NameDetail } from "@/api/types";
import { showToast } from "@/ui/Toast";

const NAMES = ["names"] as const;
const SHOWN = 100;

/** Names that begin with the words; without words those in most passages. */
export function useNames(q: string) {
  return useQuery({
    queryKey: [...NAMES, "list", q],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: Name[] }>(`/api/entities${query({ q, limit: SHOWN })}`, { signal })).items,
    placeholderData: (previous) => previous,
  });
}

export function useName(id: string) {
  return useQuery({
    queryKey: [...NAMES, "one", id],
    queryFn: ({ signal }) => api.get<NameDetail>(`/api/entities/${encodeURIComponent(id)}`, { signal }),
    placeholderData: (previous) => (previous?.id === id ? previous : undefined),
  });
}

/** Pairs that may be one. The embedding model compares them, so it takes half a second. */
export function useLookalikes() {
  return useQuery({
    queryKey: [...NAMES, "alike"],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: Lookalike[] }>("/api/entities/candidates", { signal })).items,
  });
}

export function useDecisions() {
  return useQuery({
    queryKey: [...NAMES, "decisions"],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: Decision[] }>("/api/entities/merges", { signal })).items,
  });
}

/** Readers look at names only. */
export function useMayDecide(): boolean {
  const role = useMe().data?.user.role;
  return role !== undefined && role !== "reader";
}

type Pair = { kind: "merge" | "split"; source: string; target: string };

/** Says that two names are one, or that they are two; the toast takes it back. */
export function useDecide() {
  const refresh = useRefresh();
  const undo = useUndo();
  return useMutation({
    mutationFn: ({ kind, source, target }: Pair) =>
      api.post<{ id: string }>(`/api/entities/${kind}s`, { source, target }),
    onSuccess: ({ id }, { kind }) =>
      showToast({
        message: kind === "merge" ? "They are one name now." : "They are two names now.",
        action: { label: "Undo", onAction: () => undo.mutate(id) },
      }),
    onError: fail,
    onSettled: refresh,
  });
}

export function useUndo() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => api.post(`/api/entities/merges/${id}/undo`),
    onError: fail,
    onSettled: refresh,
  });
}

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: NAMES });
}

function fail(error: unknown) {
  showToast({ message: sentence(error), tone: "failed" });
}
