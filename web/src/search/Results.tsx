import type { Hit } from "@/api/types";
import { firstWords, pageOf, withoutHeading } from "@/chat/words";
import { classes } from "@/ui/classes";
import { SourceButton } from "@/viewer/SourceButton";
import styles from "./Results.module.css";
import { ranksWords } from "./words";

const SHOWN = 360;

type ResultsProps = { hits: readonly Hit[]; open: string | null; onOpen: (chunkId: string) => void };

/** The passages, best first; a name opens the place it stands. */
export function Results({ hits, open, onOpen }: ResultsProps) {
  return (
    <section aria-label="Passages">
      <ol className={styles.list}>
        {hits.map((hit, index) => (
          <li key={hit.chunk_id} className={classes(styles.hit, hit.chunk_id === open && styles.open)}>
            <span className={styles.n} aria-hidden="true">
              {index + 1}
            </span>
            <div className={styles.words}>
              <h2 className={styles.head}>
                <SourceButton onOpen={() => onOpen(hit.chunk_id)}>{hit.name}</SourceButton>
                <span className={styles.place}>{pageOf(hit) ?? hit.heading_path.at(-1)}</span>
              </h2>
              <p className={styles.text}>{firstWords(withoutHeading(hit.text, hit), SHOWN)}</p>
              <p className={styles.ranks}>{ranksWords(hit.ranks)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
