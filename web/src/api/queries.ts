import { QueryCache, QueryClient, useQuery } from "@tanstack/react-query";
import { ApiError, api, query } from "./client";
import { keys } from "./keys";
import type { Me, Thread, ThreadDetail } from "./types";

const RETRIES = 2;

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    // A session that ran out shows on any read; then the sign-in page takes over.
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.status === 401) client.setQueryData(keys.me, null);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        refetchOnWindowFocus: false, // /api/events says when something changed
        retry: (count, error) => count < RETRIES && !(error instanceof ApiError && answered(error)),
      },
    },
  });
  return client;
}

function answered(error: ApiError): boolean {
  return error.status >= 400 && error.status < 500;
}

/** Who is signed in; null when nobody is. */
export function useMe() {
  return useQuery({
    queryKey: keys.me,
    queryFn: async () => {
      try {
        return await api.get<Me>("/api/me");
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null;
        throw error;
      }
    },
  });
}

export function useThreads(q: string) {
  return useQuery({
    queryKey: keys.threads(q),
    queryFn: async () => (await api.get<{ items: Thread[] }>(`/api/threads${query({ q })}`)).items,
    placeholderData: (previous) => previous,
  });
}

export function useThread(id: string | null) {
  return useQuery({
    queryKey: keys.thread(id ?? ""),
    queryFn: () => api.get<ThreadDetail>(`/api/threads/${id}`),
    enabled: id !== null,
  });
}
