import type { ReactNode } from "react";
import type { Document } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { bytes, day, number, ranges, seconds, typeWords } from "../words";
import styles from "./About.module.css";

/** What was remarked on the way, what it is, and how it was read. */
export function About({ document }: { document: Document }) {
  return (
    <div className={styles.about}>
      {document.warnings.length > 0 && <Warnings warnings={document.warnings} />}
      <Subject document={document} />
      <Quality document={document} />
    </div>
  );
}

function Warnings({ warnings }: { warnings: Document["warnings"] }) {
  return (
    <section>
      <h2 className={styles.heading}>Remarks</h2>
      <ul className={styles.warnings}>
        {warnings.map(({ code, page, message }) => (
          <li key={`${code} ${page ?? ""} ${message}`}>
            <Icon name="alert" size={16} />
            <span>
              {page ? `Page ${page}: ` : ""}
              {message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const LANGUAGES =
  typeof Intl.DisplayNames === "function" ? new Intl.DisplayNames("en", { type: "language" }) : null;

function languageName(code: string): string {
  try {
    return LANGUAGES?.of(code) ?? code;
  } catch (error) {
    if (error instanceof RangeError) return code; // not a language tag: show what the server said
    throw error;
  }
}

/** What it is about, as far as that can be told without reading it. */
function Subject({ document }: { document: Document }) {
  const { summary, topics, type, date, language } = document;
  if (!type) return null;
  return (
    <section>
      <h2 className={styles.heading}>What it is</h2>
      {summary && (
        <p className={styles.summary} dir="auto">
          {summary}
        </p>
      )}
      <dl className={styles.facts}>
        <Fact name="Type">{typeWords(type)}</Fact>
        <Fact name="Topics">{topics.join(", ")}</Fact>
        <Fact name="Date">{date && day(date)}</Fact>
        <Fact name="Language">{language && languageName(language)}</Fact>
      </dl>
    </section>
  );
}

/** Its quality report: what was found in it, by what, in what time. */
function Quality({ document }: { document: Document }) {
  const { pages, blank_pages, tables, characters, chunks, parser, version, size_bytes, media_type } =
    document;
  return (
    <section>
      <h2 className={styles.heading}>How it was read</h2>
      <dl className={styles.facts}>
        <Fact name="Pages">{pages !== null && number(pages)}</Fact>
        <Fact name="Pages without text">{pages !== null && (ranges(blank_pages) || "none")}</Fact>
        <Fact name="Tables">{tables !== null && number(tables)}</Fact>
        <Fact name="Characters">{characters !== null && number(characters)}</Fact>
        <Fact name="Passages">{chunks ? number(chunks) : null}</Fact>
        <Fact name="Read by">{parser}</Fact>
        <Fact name="Kind">{media_type}</Fact>
        <Fact name="Size">{bytes(size_bytes)}</Fact>
        <Fact name="Version">{number(version)}</Fact>
        {STAGES.map(([stage, name]) => (
          <Fact key={stage} name={name}>
            {timeOf(document, stage)}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

const STAGES = [
  ["parsing", "Reading took"],
  ["chunking", "Cutting took"],
  ["embedding", "Indexing took"],
  ["linking", "Connecting took"],
] as const;

function timeOf({ seconds: took }: Document, stage: string): string | null {
  const value = took[stage];
  return value === undefined || value === null ? null : seconds(value);
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
