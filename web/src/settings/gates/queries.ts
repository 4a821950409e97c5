/** What the rules for audiences read and change. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, sentence } from "@/api/client";
import type { Gates, Rule, RuleTest } from "@/api/types";
import { showToast } from "@/ui/Toast";
import type { Audience, RuleDraft } from "./words";

const GATES = ["gates"] as const;

export function useGates() {
  return useQuery({
    queryKey: GATES,
    queryFn: ({ signal }) => api.get<Gates>("/api/gates", { signal }),
  });
}

export function usePutAudience() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ audience, trust }: { audience: Audience; trust: number }) =>
      api.put<Gates>("/api/gates/audiences", { [audience]: trust }),
    onSuccess: (gates) => client.setQueryData(GATES, gates),
    onError: fail,
  });
}

export function useAddRule() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rule: RuleDraft) => api.post<Rule>("/api/gates/rules", rule),
    onSettled: () => client.invalidateQueries({ queryKey: GATES }),
  });
}

/** Lifts a rule, and offers to put it back. */
export function useRemoveRule() {
  const client = useQueryClient();
  const add = useAddRule();
  return useMutation({
    mutationFn: (rule: Rule) => api.delete(`/api/gates/rules/${rule.id}`),
    onSuccess: (_, { audience, kind, value, note }) =>
      showToast({
        message: `“${value}” is not protected any more.`,
        action: { label: "Undo", onAction: () => add.mutate({ audience, kind, value, note }) },
      }),
    onError: fail,
    onSettled: () => client.invalidateQueries({ queryKey: GATES }),
  });
}

const PAUSE_MS = 350;

/** What a rule would protect in a text, a moment after the last key. */
export function useRuleTest(rule: Pick<RuleDraft, "kind" | "value">, sample: string) {
  const settled = useSettled(JSON.stringify({ kind: rule.kind, value: rule.value.trim(), sample }));
  const body = JSON.parse(settled) as { value: string; sample: string };
  return useQuery({
    queryKey: ["rule-test", settled],
    queryFn: ({ signal }) => api.post<RuleTest>("/api/gates/rules/test", body, { signal }),
    enabled: body.value.length > 1 && body.sample.trim() !== "",
    retry: false,
  });
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function fail(error: unknown) {
  showToast({ message: sentence(error), tone: "failed" });
}
