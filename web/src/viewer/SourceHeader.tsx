import { Link } from "wouter";
import type { Passage } from "@/api/types";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { IconButton } from "@/ui/IconButton";
import { IconLink } from "./IconLink";
import styles from "./SourceHeader.module.css";

export type Stepper = {
  page: number;
  /** null until the document is open. */
  pages: number | null;
  /** The page that holds the passage. */
  home: number | null;
  unit: "Page" | "Part";
  onPage: (page: number) => void;
};

type SourceHeaderProps = {
  name: string;
  passage?: Passage;
  isGuest?: boolean;
  stepper?: Stepper;
  onClose: () => void;
};

export function SourceHeader({ name, passage, isGuest, stepper, onClose }: SourceHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        <span className={styles.icon}>
          <Icon name="file" />
        </span>
        <div className={styles.titles}>
          <h2 className={styles.name} title={name}>
            {passage && passage.state !== "deleted" && !isGuest ? (
              <Link href={`/documents/${passage.document_id}`} className={styles.link}>
                {name}
              </Link>
            ) : (
              name
            )}
          </h2>
          {passage && passage.heading_path.length > 0 && (
            <p className={styles.path} title={passage.heading_path.join(" › ")}>
              {passage.heading_path.join(" › ")}
            </p>
          )}
        </div>
        {passage && !isGuest && (
          <IconLink
            icon="download"
            label={`Download ${name}`}
            href={`/api/documents/${passage.document_id}/original`}
          />
        )}
        <IconButton icon="close" label="Close the source" keys="Esc" onClick={onClose} />
      </div>
      {stepper && (stepper.pages === null || stepper.pages > 1) && <PageStepper {...stepper} />}
    </header>
  );
}

export function PageStepper({ page, pages, home, unit, onPage }: Stepper) {
  const what = unit.toLowerCase();
  return (
    <div className={styles.stepper}>
      <IconButton
        small
        icon="left"
        label={`Previous ${what}`}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <span className={styles.page} aria-live="polite">
        {unit} {page}
        {pages !== null && ` of ${pages}`}
      </span>
      <IconButton
        small
        icon="right"
        label={`Next ${what}`}
        disabled={pages === null || page >= pages}
        onClick={() => onPage(page + 1)}
      />
      {home !== null && home !== page && (
        <Button small tone="quiet" onClick={() => onPage(home)}>
          Back to the passage
        </Button>
      )}
    </div>
  );
}
