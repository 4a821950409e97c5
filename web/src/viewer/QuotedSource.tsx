import { Link } from "wouter";
import type { Passage } from "@/api/types";
import styles from "./BlockSource.module.css";
import pane from "./SourcePane.module.css";

/** A passage of an older version: its words as they were cited, since the pages have changed. */
export function QuotedSource({ passage }: { passage: Passage }) {
  return (
    <div className={pane.scroll}>
      <p className={pane.note}>
        This is the passage as it was cited, from version {passage.version}. The document has changed since.{" "}
        <Link href={`/documents/${passage.document_id}`}>Open the present version</Link>
      </p>
      <article className={styles.sheet}>
        <div className={styles.lit} data-mark>
          {passage.text.split(/\n{2,}/).map((paragraph, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
            <p key={index} className={styles.quoted}>
              {paragraph}
            </p>
          ))}
        </div>
      </article>
    </div>
  );
}
