/** What the sharing of a document reads and changes. Its keys lie below the document's, so an event renews them. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { Access, Shares } from "@/api/types";
import { showToast } from "@/ui/Toast";
import { useRefresh } from "../queries";
import type { Draft, Use, Visibility } from "./sharing";

export function useAccess(id: string) {
  return useQuery({
    queryKey: [...keys.document(id), "access"],
    queryFn: ({ signal }) => api.get<Access>(`/api/documents/${id}/access`, { signal }),
  });
}

/** Whom its owner shows it to, and whom they could. */
export function useShares(id: string) {
  return useQuery({
    queryKey: [...keys.document(id), "shares"],
    queryFn: ({ signal }) => api.get<Shares>(`/api/documents/${id}/shares`, { signal }),
  });
}

type Change = Draft | { use: Use } | { trust: number };

/** Takes effect with the next statement of anybody. */
export function useChangeAccess(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (change: Change) =>
      "people" in change && change.visibility === "shared"
        ? api.put<Access>(`/api/documents/${id}/shares`, { user_ids: change.people })
        : api.put<Access>(`/api/documents/${id}/access`, withoutPeople(change)),
    onError: (error) => showToast({ message: sentence(error), tone: "failed" }),
    onSettled: () => refresh(id),
  });
}

function withoutPeople(change: Change): { visibility: Visibility } | Change {
  return "people" in change ? { visibility: change.visibility } : change;
}
