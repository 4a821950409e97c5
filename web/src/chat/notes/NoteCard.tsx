import type { Source } from "@/api/types";
import { firstWords, placeOf, withoutHeading } from "../words";
import styles from "./NoteCard.module.css";
import { usePassageText } from "./passages";

type NoteCardProps = {
  source: Source;
  /** Cited before further up: the name is enough. */
  brief?: boolean;
  isOpen: boolean;
  onOpen: (source: Source) => void;
};

/** A footnote in the margin: number, file, place and the first words. Opens the page it comes from. */
export function NoteCard({ source, brief, isOpen, onOpen }: NoteCardProps) {
  const place = placeOf(source);
  return (
    <button
      type="button"
      className={brief ? styles.brief : styles.note}
      data-cites={source.n}
      aria-pressed={isOpen}
      onClick={() => onOpen(source)}
    >
      <span className={styles.head}>
        <span className={styles.number}>{source.n}</span>
        <span className={styles.name}>{source.name}</span>
        {place && <span className={styles.place}>{place}</span>}
      </span>
      {!brief && <Opening source={source} />}
    </button>
  );
}

function Opening({ source }: { source: Source }) {
  const text = usePassageText(source);
  return (
    <span className={styles.words}>
      {text === undefined ? "…" : firstWords(withoutHeading(text, source))}
    </span>
  );
}
