import { Link } from "wouter";
import { ApiError } from "@/api/client";
import type { NameDetail } from "@/api/types";
import { useTitle } from "@/app/title";
import { classes } from "@/ui/classes";
import { EmptyState } from "@/ui/EmptyState";
import { SourceButton } from "@/viewer/SourceButton";
import { Held } from "./Held";
import { Loaded } from "./Loaded";
import styles from "./NamePage.module.css";
import { useName } from "./queries";
import { kindWords, linkWords, passagesWords, placeWords } from "./words";

type NamePageProps = { id: string; open: string | null; onOpen: (chunkId: string) => void };

/** One name: how it is written, what it is linked to, where it stands, and whether it is one. */
export function NamePage({ id, open, onOpen }: NamePageProps) {
  const name = useName(id);
  useTitle(name.data ? `${name.data.name} · Names` : "Names");
  if (name.error instanceof ApiError && name.error.status === 404) {
    return (
      <EmptyState isPage title="There is no such name" action={<Link href="/names">All names</Link>}>
        Its documents were deleted, or they are not shared with you any more.
      </EmptyState>
    );
  }
  return (
    <Loaded query={name} label="Loading the name">
      {(detail) => (
        <div className={styles.page}>
          <Head detail={detail} />
          <Held detail={detail} />
          <Neighbours detail={detail} />
          <Passages detail={detail} open={open} onOpen={onOpen} />
        </div>
      )}
    </Loaded>
  );
}

function Head({ detail }: { detail: NameDetail }) {
  const { name, sense, kind, aliases } = detail;
  return (
    <header>
      <nav aria-label="Where it lies" className={styles.trail}>
        <Link href="/names">Names</Link>
      </nav>
      <h1 className={styles.title} dir="auto">
        {name}
      </h1>
      <p className={styles.facts}>
        {[kindWords(kind), sense && `the one of ${sense}`, passagesWords(detail)].filter(Boolean).join(" · ")}
      </p>
      {aliases.length > 0 && (
        <p className={styles.aliases}>
          Also written{" "}
          {aliases.map((alias, index) => (
            <span key={alias}>
              {index > 0 && ", "}
              <bdi>{alias}</bdi>
            </span>
          ))}
        </p>
      )}
    </header>
  );
}

function Neighbours({ detail: { name, neighbours } }: { detail: NameDetail }) {
  if (neighbours.length === 0) return null;
  return (
    <section>
      <h2 className={styles.heading}>What it is linked to</h2>
      <ul className={styles.links}>
        {neighbours.map((one) => {
          const { before, after } = linkWords(name, one);
          return (
            <li key={`${one.id} ${one.kind} ${one.outgoing}`} className={styles.link}>
              <span>
                {before && `${before} `}
                <Link href={`/names/${one.id}`} className={styles.neighbour} dir="auto">
                  {one.name}
                </Link>
                {after && ` ${after}`}
              </span>
              {one.support > 1 && <span className={styles.times}>{one.support} passages</span>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type PassagesProps = { detail: NameDetail; open: string | null; onOpen: (chunkId: string) => void };

function Passages({ detail: { passages, support }, open, onOpen }: PassagesProps) {
  return (
    <section aria-label="Passages">
      <h2 className={styles.heading}>Where it stands</h2>
      {passages.length === 0 && (
        <p className={styles.note}>
          No passage of it can be shown: they hold protected words, or are kept out of answers.
        </p>
      )}
      <ul className={styles.passages}>
        {passages.map((passage) => (
          <li
            key={passage.chunk_id}
            className={classes(styles.passage, passage.chunk_id === open && styles.open)}
          >
            <p className={styles.source}>
              <SourceButton onOpen={() => onOpen(passage.chunk_id)}>{passage.document}</SourceButton>
              <span className={styles.place}>{placeWords(passage)}</span>
            </p>
            <p className={styles.text} dir="auto">
              {passage.text}
            </p>
          </li>
        ))}
      </ul>
      {passages.length > 0 && passages.length < support && passages.length >= 50 && (
        <p className={styles.note}>The {passages.length} passages that are most about it.</p>
      )}
    </section>
  );
}
