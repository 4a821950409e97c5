/** What the settings page reads and changes on the server. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { DetectedServers, Invitation, OneTimeLink, Person, Probe, Role, Settings } from "@/api/types";
import { showToast } from "@/ui/Toast";
import type { Draft } from "./diff";

export function useSettings() {
  return useQuery({
    queryKey: keys.settings,
    queryFn: ({ signal }) => api.get<Settings>("/api/settings", { signal }),
  });
}

/** Servers on this machine. Looking for them may take a second, and finding none is no error. */
export function useDetected() {
  return useQuery({
    queryKey: keys.detected,
    queryFn: async ({ signal }) =>
      (await api.get<DetectedServers>("/api/settings/detected", { signal })).servers,
    retry: false,
  });
}

/** Saves all changes or none. */
export function useSave() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (values: Draft) => api.put<Settings>("/api/settings", { values }),
    onSuccess: (settings) => {
      client.setQueryData(keys.settings, settings);
      void client.invalidateQueries({ queryKey: keys.me });
    },
  });
}

/** Tries a section with values that are not saved yet. */
export function useProbe() {
  return useMutation({
    mutationFn: (body: { section: string; values: Draft }) => api.post<Probe>("/api/settings/probe", body),
  });
}

/** The server's complaints by field name; empty when the error is of another kind. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const detail = error.detail as { fields?: Record<string, string> } | null | undefined;
  return detail?.fields ?? {};
}

export function usePeople() {
  return useQuery({
    queryKey: keys.users,
    queryFn: async ({ signal }) => (await api.get<{ items: Person[] }>("/api/users", { signal })).items,
  });
}

export function useInvitations() {
  return useQuery({
    queryKey: keys.invitations,
    queryFn: async ({ signal }) =>
      (await api.get<{ items: Invitation[] }>("/api/invitations", { signal })).items,
  });
}

export function useChangePerson() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...values }: { id: string; role?: Role; disabled?: boolean }) =>
      api.patch<Person>(`/api/users/${id}`, values),
    onError: (error) => showToast({ message: sentence(error), tone: "failed" }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.users }),
  });
}

/** A link with which somebody who forgot the password sets a new one. */
export function useResetLink() {
  return useMutation({
    mutationFn: (id: string) => api.post<OneTimeLink>(`/api/users/${id}/reset-link`, {}),
    onError: (error) => showToast({ message: sentence(error), tone: "failed" }),
  });
}

export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; role: Role }) => api.post<Invitation>("/api/invitations", body),
    onSettled: () => client.invalidateQueries({ queryKey: keys.invitations }),
  });
}

export function useWithdraw() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.delete(`/api/invitations/${id}`),
    onError: (error) => showToast({ message: sentence(error), tone: "failed" }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.invitations }),
  });
}
