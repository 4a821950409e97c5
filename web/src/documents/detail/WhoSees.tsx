import { useId, useState } from "react";
import type { Shares } from "@/api/types";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import { showToast } from "@/ui/Toast";
import { useChangeAccess } from "./access";
import { PeoplePicker } from "./PeoplePicker";
import styles from "./Sharing.module.css";
import { CHOICES, type Draft, NOW_ID, pending, type Visibility } from "./sharing";

type WhoSeesProps = {
  id: string;
  visibility: string;
  chosen: readonly string[];
  colleagues: Shares["colleagues"];
};

/** Chosen first and done with a button of its own: arrow keys move over radios, and must publish nothing. */
export function WhoSees({ id, visibility, chosen, colleagues }: WhoSeesProps) {
  const now: Draft = { visibility: visibility as Visibility, people: chosen };
  const [draft, setDraft] = useState(now);
  const change = useChangeAccess(id);
  const name = useId();
  const next = pending(now, draft);
  const apply = () =>
    change.mutate(draft, {
      onSuccess: () => {
        showToast({ message: next?.done ?? "Done." });
        document.getElementById(NOW_ID)?.focus({ preventScroll: true });
      },
    });
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.heading}>Change who can see it</legend>
      <div className={styles.choices}>
        {CHOICES.map(({ value, label, help }) => (
          <div key={value} className={styles.choice}>
            <input
              type="radio"
              id={`${name}-${value}`}
              name={name}
              value={value}
              checked={draft.visibility === value}
              aria-describedby={`${name}-${value}-note`}
              onChange={() => setDraft((known) => ({ ...known, visibility: value }))}
            />
            <label htmlFor={`${name}-${value}`} className={styles.label}>
              {label}
            </label>
            <p id={`${name}-${value}-note`} className={styles.note}>
              {help}
            </p>
            {value === "shared" && draft.visibility === "shared" && (
              <Chosen
                ids={draft.people}
                colleagues={colleagues}
                onChange={(people) => setDraft((known) => ({ ...known, people }))}
              />
            )}
          </div>
        ))}
      </div>
      {next && (
        <div className={styles.apply}>
          <Button tone="primary" busy={change.isPending} disabled={next.problem !== null} onClick={apply}>
            {next.label}
          </Button>
          <Button tone="quiet" onClick={() => setDraft(now)}>
            Leave it as it is
          </Button>
          <p className={styles.effect}>
            {next.problem ?? "Takes effect at once, with the next question that anybody asks."}
          </p>
        </div>
      )}
    </fieldset>
  );
}

type ChosenProps = {
  ids: readonly string[];
  colleagues: Shares["colleagues"];
  onChange: (ids: readonly string[]) => void;
};

function Chosen({ ids, colleagues, onChange }: ChosenProps) {
  const chosen = ids.map(
    (id) => colleagues.find((one) => one.id === id) ?? { id, name: "Somebody", email: "" },
  );
  const free = colleagues.filter(({ id }) => !ids.includes(id));
  return (
    <div className={styles.chosen}>
      {chosen.length > 0 && (
        <ul className={styles.chips} aria-label="Chosen people">
          {chosen.map(({ id, name, email }) => (
            <li key={id} className={styles.chip}>
              <span title={email}>{name || email}</span>
              <IconButton
                small
                icon="close"
                label={`Do not show it to ${name || email}`}
                onClick={() => onChange(ids.filter((one) => one !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      {colleagues.length === 0 ? (
        <p className={styles.note}>
          Nobody else is here yet. An administrator invites people in the settings.
        </p>
      ) : (
        free.length > 0 && <PeoplePicker people={free} onPick={(id) => onChange([...ids, id])} />
      )}
    </div>
  );
}
