/** What the documents pages read and change on the server, over the shared query cache. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { ApiError, api, query, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { Chunk, Document, DocumentList, Folder, Page, Receipt } from "@/api/types";
import { showToast } from "@/ui/Toast";
import { receiptWords } from "./words";

export type Filter = { folder_id: string | null; status: string | null; q: string; sort: string };

const PAGE_SIZE = 100;

/** The list under a filter, page by page. Each row also lands in the cache under its own key. */
export function useDocumentList(filter: Filter) {
  const client = useQueryClient();
  return useInfiniteQuery({
    queryKey: keys.documentList(filter),
    queryFn: async ({ pageParam, signal }) => {
      const path = `/api/documents${query({ ...filter, cursor: pageParam, limit: PAGE_SIZE })}`;
      const list = await api.get<DocumentList>(path, { signal });
      for (const row of list.items) {
        // A row that was read again while the list was on its way is newer than the list.
        client.setQueryData<Document>(keys.document(row.id), (known) =>
          known && known.updated_at > row.updated_at ? known : row,
        );
      }
      return list;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: (previous) => previous,
    refetchOnMount: "always",
  });
}

/** A row of the list, read again by itself whenever an event names it. */
export function useLiveDocument(row: Document): Document {
  const client = useQueryClient();
  const live = useQuery({
    queryKey: keys.document(row.id),
    queryFn: ({ signal }) => api.get<Document>(`/api/documents/${row.id}`, { signal }),
    initialData: row,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const isGone = live.error instanceof ApiError && live.error.status === 404;
  const isListOld = isGone || live.data.status !== row.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second change before the list is back asks again
  useEffect(() => {
    if (!isListOld) return;
    void client.invalidateQueries({ queryKey: keys.documents });
    void client.invalidateQueries({ queryKey: keys.folders });
  }, [client, isListOld, live.data.status]);
  return live.data;
}

export function useDocument(id: string) {
  return useQuery({
    queryKey: keys.document(id),
    queryFn: ({ signal }) => api.get<Document>(`/api/documents/${id}`, { signal }),
  });
}

export function useChunks(id: string, version: number, isReady: boolean) {
  return useInfiniteQuery({
    queryKey: [...keys.documentChunks(id), version],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Chunk>>(`/api/documents/${id}/chunks${query({ cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    enabled: isReady,
  });
}

const NO_FOLDERS: readonly Folder[] = [];

export function useFolders() {
  const folders = useQuery({
    queryKey: keys.folders,
    queryFn: async ({ signal }) => (await api.get<{ items: Folder[] }>("/api/folders", { signal })).items,
  });
  return { folders: folders.data ?? NO_FOLDERS, isPending: folders.isPending };
}

/** Marks lists, folders and the named documents as stale after a change made here. */
export function useRefresh() {
  const client = useQueryClient();
  return useCallback(
    (...ids: string[]) => {
      const stale = [keys.documents, keys.folders, keys.suggestions, ...ids.map((id) => keys.document(id))];
      return Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
    [client],
  );
}

type Change = { ids: string[]; values: Partial<Pick<Document, "name" | "folder_id" | "visibility">> };

/** Renames, moves or shares documents; says so when it fails. */
export function useChangeDocuments() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ ids, values }: Change) =>
      Promise.all(ids.map((id) => api.patch<Document>(`/api/documents/${id}`, values))),
    onError: fail,
    onSettled: (_data, _error, { ids }) => refresh(...ids),
  });
}

/** Deletes one after the other and shows the receipt; what could not be deleted stays and is named. */
export function useDeleteDocuments() {
  const refresh = useRefresh();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (documents: readonly Document[]) => {
      const receipts: Receipt[] = [];
      for (const { id } of documents) {
        receipts.push(await api.delete<Receipt>(`/api/documents/${id}`));
        client.removeQueries({ queryKey: keys.document(id) });
      }
      return receipts;
    },
    onSuccess: (receipts) => showToast({ message: receiptWords(receipts) }),
    onError: fail,
    onSettled: () => refresh(),
  });
}

/** "retry" reads a document again, "cancel" stops it. */
export function useRun(action: "retry" | "cancel") {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => api.post(`/api/documents/${id}/${action}`),
    onError: fail,
    onSettled: (_data, _error, id) => refresh(id),
  });
}

type FolderChange =
  | { do: "create"; name: string; parent_id: string | null }
  | { do: "change"; id: string; values: { name?: string; parent_id?: string | null } }
  | { do: "delete"; id: string };

/** Creates, renames, moves or deletes a folder. Errors are the caller's to show. */
export function useChangeFolder() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (change: FolderChange): Promise<Folder | undefined> => {
      if (change.do === "create")
        return api.post<Folder>("/api/folders", { name: change.name, parent_id: change.parent_id });
      if (change.do === "change") return api.patch<Folder>(`/api/folders/${change.id}`, change.values);
      return api.delete<undefined>(`/api/folders/${change.id}`);
    },
    onSettled: () => refresh(),
  });
}

function fail(error: unknown) {
  showToast({ message: sentence(error), tone: "failed" });
}
