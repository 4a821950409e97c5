import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { api, query, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { Gap } from "@/api/types";
import { useTitle } from "@/app/title";
import { Waiting } from "@/app/Waiting";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { showToast } from "@/ui/Toast";
import { plural } from "../words";
import styles from "./WantedPage.module.css";

type State = Gap["state"];

const STATES: { state: State; label: string; nothing: string }[] = [
  { state: "open", label: "Open", nothing: "Every question so far found something in your documents." },
  { state: "done", label: "Uploaded", nothing: "Nothing was marked as uploaded yet." },
  { state: "ignored", label: "Set aside", nothing: "Nothing was set aside." },
];

/** Questions that found nothing: the list of what is worth uploading (L8). */
export default function WantedPage() {
  useTitle("Wanted");
  const [state, setState] = useState<State>("open");
  const gaps = useQuery({
    queryKey: keys.wanted(state),
    queryFn: async () => (await api.get<{ items: Gap[] }>(`/api/gaps${query({ state })}`)).items,
    staleTime: 0,
  });
  const nothing = STATES.find((one) => one.state === state)?.nothing;
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>Wanted</h1>
      <p className={styles.words}>
        Questions that people asked and your documents did not answer. Upload what answers them, then mark
        them here.
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a row of filters, not a form */}
      <div className={styles.states} role="group" aria-label="Show">
        {STATES.map((one) => (
          <button
            key={one.state}
            type="button"
            className={styles.state}
            aria-pressed={state === one.state}
            onClick={() => setState(one.state)}
          >
            {one.label}
          </button>
        ))}
      </div>
      {gaps.isPending && <Waiting />}
      {gaps.isError && <p role="alert">{sentence(gaps.error)}</p>}
      {gaps.data?.length === 0 && <EmptyState title="Nothing here">{nothing}</EmptyState>}
      <ul className={styles.list}>
        {gaps.data?.map((gap) => (
          <Row key={gap.id} gap={gap} />
        ))}
      </ul>
    </div>
  );
}

function Row({ gap }: { gap: Gap }) {
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: (state: State) => api.patch(`/api/gaps/${gap.id}`, { state }),
    onError: (error) => showToast({ message: sentence(error), tone: "failed" }),
    onSettled: () => client.invalidateQueries({ queryKey: ["wanted"] }),
  });
  const asked = new Date(gap.asked_at).toLocaleDateString(undefined, { day: "numeric", month: "long" });
  const by = gap.people > 1 ? ` by ${plural(gap.people, "person", "people")}` : "";
  const button = (state: State, label: string) => (
    <Button
      small
      tone="quiet"
      busy={move.isPending}
      aria-label={`${label}: ${gap.question}`}
      onClick={() => move.mutate(state)}
    >
      {label}
    </Button>
  );
  return (
    <li className={styles.row}>
      <div className={styles.question}>
        {gap.thread_id ? <Link href={`/t/${gap.thread_id}`}>{gap.question}</Link> : gap.question}
        <div className={styles.times}>
          Asked {gap.times === 1 ? "once" : `${gap.times} times`}
          {by}, last on {asked}
        </div>
      </div>
      {gap.state === "open" ? (
        <span className={styles.actions}>
          {button("done", "Uploaded")}
          {button("ignored", "Set aside")}
        </span>
      ) : (
        button("open", "Open again")
      )}
    </li>
  );
}
