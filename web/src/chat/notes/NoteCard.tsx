import type { Source } from "@/api/types";
import { safeLink } from "../markdown/links";
import { firstWords, isWeb, placeOf, withoutHeading } from "../words";
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
export function NoteCard(props: NoteCardProps) {
  const { source, brief, isOpen, onOpen } = props;
  if (isWeb(source)) return <WebNote {...props} />;
  return (
    <button
      type="button"
      className={brief ? styles.brief : styles.note}
      data-cites={source.n}
      aria-pressed={isOpen}
      onClick={() => onOpen(source)}
    >
      <Inside source={source} brief={brief} name={source.name} place={placeOf(source)} />
    </button>
  );
}

/** A page of the web opens in a tab of its own, which is not told where it is opened from. */
function WebNote({ source, brief }: NoteCardProps) {
  const href = safeLink(source.url ?? "");
  return (
    <a
      href={href ?? undefined}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={brief ? styles.brief : styles.note}
      data-cites={source.n}
    >
      <Inside source={source} brief={brief} name={source.title || source.name} place={source.name} />
    </a>
  );
}

type InsideProps = { source: Source; brief?: boolean; name: string; place: string | null };

function Inside({ source, brief, name, place }: InsideProps) {
  return (
    <>
      <span className={styles.head}>
        <span className={styles.number}>{source.n}</span>
        <span className={styles.name}>{name}</span>
        {place && <span className={styles.place}>{place}</span>}
      </span>
      {!brief && <Opening source={source} />}
    </>
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
