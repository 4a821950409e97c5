import { useEffect, useRef } from "react";
import { sentence } from "@/api/client";
import type { Probe, SettingSection } from "@/api/types";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { type Draft, draftOf } from "./diff";
import styles from "./ProbeRow.module.css";
import { useProbe } from "./queries";

/** Tries the section as it stands on the page, saved or not, and says what came of it. */
export function ProbeRow({ section, draft }: { section: SettingSection; draft: Draft }) {
  const probe = useProbe();
  const values = draftOf(section, draft);
  const isUnsaved = Object.keys(values).length > 0;
  return (
    <div className={styles.row}>
      <div className={styles.action}>
        <Button busy={probe.isPending} onClick={() => probe.mutate({ section: section.id, values })}>
          Test {section.title.toLowerCase()}
        </Button>
        {isUnsaved && <span className={styles.note}>With the values above, before they are saved.</span>}
      </div>
      <div role="status">
        {probe.isPending && (
          <p className={styles.note}>Asking the model. A cold one may take half a minute.</p>
        )}
        {!probe.isPending && probe.data && <Result probe={probe.data} />}
        {!probe.isPending && probe.error && <Result probe={failed(probe.error)} />}
      </div>
    </div>
  );
}

function failed(error: unknown): Probe {
  return { ok: false, message: sentence(error), latency_ms: null, model: null, facts: [] };
}

function Result({ probe: { ok, message, latency_ms, model, facts } }: { probe: Probe }) {
  const shown = [
    ...(model ? [{ label: "Model", value: model }] : []),
    ...(latency_ms !== null ? [{ label: "Answered in", value: latencyWords(latency_ms) }] : []),
    ...facts,
  ];
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => void box.current?.scrollIntoView({ block: "nearest" }), []); // newer browsers hand back a promise
  return (
    <div ref={box} className={ok ? styles.good : styles.bad}>
      <p className={styles.message}>
        <Icon name={ok ? "check" : "alert"} />
        {message}
      </p>
      {shown.length > 0 && (
        <dl className={styles.facts}>
          {shown.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

function latencyWords(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
