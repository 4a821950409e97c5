import type { ReactNode } from "react";
import type { Document } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { Select } from "@/ui/Select";
import { useChangeDocuments } from "../queries";
import { bytes, number, seconds, VISIBILITIES, visibilityWords } from "../words";
import styles from "./About.module.css";

/** Who may see it, what was found in it, how it was read, and what was remarked on the way. */
export function About({ document }: { document: Document }) {
  return (
    <div className={styles.about}>
      <Sharing document={document} />
      {document.warnings.length > 0 && <Warnings warnings={document.warnings} />}
      <Facts document={document} />
    </div>
  );
}

function Sharing({ document }: { document: Document }) {
  const change = useChangeDocuments();
  const present = visibilityWords(document.visibility);
  const options = VISIBILITIES.some(({ value }) => value === present.value)
    ? VISIBILITIES
    : [present, ...VISIBILITIES];
  return (
    <Select
      label="Who can see it"
      options={options}
      value={document.visibility}
      disabled={change.isPending}
      help={present.help}
      onChange={(visibility) => change.mutate({ ids: [document.id], values: { visibility } })}
    />
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

function Facts({ document }: { document: Document }) {
  const {
    pages,
    characters,
    chunks,
    language,
    parser,
    version,
    size_bytes,
    media_type,
    seconds: took,
  } = document;
  const stages: [string, number | null | undefined][] = [
    ["Reading", took.parsing],
    ["Cutting into passages", took.chunking],
    ["Making it searchable", took.embedding],
  ];
  return (
    <section>
      <h2 className={styles.heading}>Facts</h2>
      <dl className={styles.facts}>
        <Fact name="Pages">{pages !== null && number(pages)}</Fact>
        <Fact name="Passages">{chunks ? number(chunks) : null}</Fact>
        <Fact name="Characters">{characters !== null && number(characters)}</Fact>
        <Fact name="Language">{language && languageName(language)}</Fact>
        <Fact name="Size">{bytes(size_bytes)}</Fact>
        <Fact name="Kind">{media_type}</Fact>
        <Fact name="Read by">{parser}</Fact>
        <Fact name="Version">{number(version)}</Fact>
        {stages.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value !== undefined && value !== null && `took ${seconds(value)}`}
          </Fact>
        ))}
      </dl>
    </section>
  );
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
