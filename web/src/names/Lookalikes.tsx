import { Link } from "wouter";
import type { Lookalike, Name } from "@/api/types";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { Loaded } from "./Loaded";
import styles from "./NamesPage.module.css";
import { useDecide, useLookalikes } from "./queries";
import { alsoWords, kindWords, supportWords } from "./words";

/** Pairs that read alike. Nothing is put together before somebody says so. */
export function Lookalikes() {
  return (
    <Loaded query={useLookalikes()} label="Comparing the names">
      {(pairs) =>
        pairs.length === 0 ? (
          <EmptyState title="No two names read alike">
            Where two names may stand for one thing, they are put side by side here for you to decide.
          </EmptyState>
        ) : (
          <ul className={styles.list} aria-label="Names that may be the same">
            {pairs.map((pair) => (
              <Pair key={`${pair.source.id} ${pair.target.id}`} pair={pair} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Pair({ pair: { source, target } }: { pair: Lookalike }) {
  const decide = useDecide();
  const say = (kind: "merge" | "split") => decide.mutate({ kind, source: source.id, target: target.id });
  const both = `${source.name} and ${target.name}`;
  return (
    <li className={styles.pair}>
      <div className={styles.two}>
        <One name={source} />
        <One name={target} />
      </div>
      <div className={styles.actions}>
        <Button small busy={decide.isPending} aria-label={`One name: ${both}`} onClick={() => say("merge")}>
          They are one
        </Button>
        <Button
          small
          tone="quiet"
          busy={decide.isPending}
          aria-label={`Two names: ${both}`}
          onClick={() => say("split")}
        >
          These are two
        </Button>
      </div>
    </li>
  );
}

function One({ name }: { name: Name }) {
  return (
    <div className={styles.one}>
      <Link href={`/names/${name.id}`} className={styles.name} dir="auto">
        {name.name}
      </Link>
      <span className={styles.also} dir="auto">
        {[kindWords(name.kind), alsoWords(name.aliases), supportWords(name)].filter(Boolean).join(" · ")}
      </span>
    </div>
  );
}
