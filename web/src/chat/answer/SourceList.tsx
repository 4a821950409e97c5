import type { Source } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { placeOf, plural } from "../words";
import { byFile, citedNumbers } from "./cited";
import styles from "./SourceList.module.css";

type SourceListProps = {
  text: string;
  sources: readonly Source[];
  openChunk: string | null;
  onOpen: (source: Source) => void;
};

/** The files an answer cites, with their passages; those only read stay folded. */
export function SourceList({ text, sources, openChunk, onOpen }: SourceListProps) {
  const cited = citedNumbers(text, sources);
  const used = sources.filter((source) => cited.has(source.n));
  const unused = sources.filter((source) => !cited.has(source.n));
  if (sources.length === 0) return null;
  const list = (items: readonly Source[]) => <Files sources={items} openChunk={openChunk} onOpen={onOpen} />;
  return (
    <section className={styles.sources} aria-label="Sources">
      {used.length > 0 && list(used)}
      {unused.length > 0 && (
        <details className={styles.more}>
          <summary>
            {used.length > 0
              ? `${plural(unused.length, "more passage")} read`
              : `${plural(unused.length, "passage")} read`}
            <Icon name="chevron" size={15} />
          </summary>
          {list(unused)}
        </details>
      )}
    </section>
  );
}

type FilesProps = Omit<SourceListProps, "text">;

function Files({ sources, openChunk, onOpen }: FilesProps) {
  return (
    <ul className={styles.files}>
      {byFile(sources).map((file) => (
        <li key={file.documentId} className={styles.file}>
          <span className={styles.name}>
            <Icon name="file" size={15} />
            <span>{file.name}</span>
          </span>
          <span className={styles.passages}>
            {file.sources.map((source) => (
              <button
                key={source.n}
                type="button"
                className={styles.passage}
                data-cites={source.n}
                aria-pressed={openChunk === source.chunk_id}
                aria-label={`Open source ${source.n}: ${file.name}${placeOf(source) ? `, ${placeOf(source)}` : ""}`}
                onClick={() => onOpen(source)}
              >
                <b>{source.n}</b> {placeOf(source)}
              </button>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}
