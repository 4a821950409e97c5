import type { Source } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { safeLink } from "../markdown/links";
import { placeOf, plural } from "../words";
import { byFile, citedNumbers, type FileSources } from "./cited";
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

function Files({ sources, ...view }: FilesProps) {
  return (
    <ul className={styles.files}>
      {byFile(sources).map((file) => (
        <li key={file.key} className={styles.file}>
          {file.url ? <Page file={file} url={file.url} /> : <File file={file} {...view} />}
        </li>
      ))}
    </ul>
  );
}

function File({ file, openChunk, onOpen }: { file: FileSources } & Omit<FilesProps, "sources">) {
  return (
    <>
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
    </>
  );
}

/** A page of the web: its title and host, opened in a tab of its own and never fetched from here (L9, X13). */
function Page({ file, url }: { file: FileSources; url: string }) {
  const href = safeLink(url);
  const numbers = file.sources.map((source) => source.n).join(" ");
  return (
    <>
      <span className={styles.name}>
        <Icon name="globe" size={15} />
        {href ? (
          <a href={href} target="_blank" rel="noopener noreferrer nofollow" data-cites={numbers}>
            <b>{numbers}</b> {file.name}
          </a>
        ) : (
          <span>{file.name}</span>
        )}
      </span>
      <span className={styles.host}>{file.sources[0]?.name}</span>
    </>
  );
}
