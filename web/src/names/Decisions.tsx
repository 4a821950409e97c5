import { useMe } from "@/api/queries";
import type { Decision } from "@/api/types";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { showToast } from "@/ui/Toast";
import { Loaded } from "./Loaded";
import styles from "./NamesPage.module.css";
import { useDecisions, useMayDecide, useUndo } from "./queries";
import { byWords } from "./words";

/** What people said about names, newest first; each can be taken back. */
export function Decisions() {
  return (
    <Loaded query={useDecisions()} label="Loading the decisions">
      {(decisions) =>
        decisions.length === 0 ? (
          <EmptyState title="Nothing was decided yet">
            When you say that two names are one, or that they are two, it is listed here and can be undone.
          </EmptyState>
        ) : (
          <ul className={styles.list} aria-label="Decisions about names">
            {decisions.map((decision) => (
              <Row key={decision.id} decision={decision} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Row({ decision }: { decision: Decision }) {
  const undo = useUndo();
  const me = useMe();
  const mayDecide = useMayDecide();
  const { id, kind, source, target, for_all, undone_at } = decision;
  const isAdmin = me.data?.user.role === "owner" || me.data?.user.role === "admin";
  const words = kind === "merge" ? "are one" : "are two";
  const take = () =>
    undo.mutate(id, {
      onSuccess: () => showToast({ message: `Taken back: ${source} and ${target} ${words}.` }),
    });
  return (
    <li className={styles.decision} data-undone={undone_at !== null}>
      <div className={styles.one}>
        <p className={styles.said}>
          “<bdi className={styles.term}>{source}</bdi>” and “<bdi className={styles.term}>{target}</bdi>”{" "}
          {words}
        </p>
        <span className={styles.also}>{byWords(decision)}</span>
      </div>
      {undone_at === null && (isAdmin || (mayDecide && !for_all)) && (
        <Button
          small
          busy={undo.isPending}
          aria-label={`Undo: ${source} and ${target} ${words}`}
          onClick={take}
        >
          Undo
        </Button>
      )}
    </li>
  );
}
