import { Link } from "wouter";
import type { Passage } from "@/api/types";
import styles from "./BlockSource.module.css";
import { partsOf } from "./blocks";
import pane from "./SourcePane.module.css";
import { Table } from "./Table";

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
          {partsOf(passage.text).map(({ key, text, isTable }) =>
            isTable ? (
              <Table key={key} text={text} />
            ) : (
              <p key={key} dir="auto" className={styles.quoted}>
                {text}
              </p>
            ),
          )}
        </div>
      </article>
    </div>
  );
}
