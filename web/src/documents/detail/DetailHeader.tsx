import { Link } from "wouter";
import type { Document } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { Menu } from "@/ui/Menu";
import { IconLink } from "@/viewer/IconLink";
import type { DocumentDialog } from "../DocumentDialogs";
import { useFolders } from "../queries";
import { useDocumentMenu } from "../RowMenu";
import { pathOf } from "../tree";
import { bytes, count, visibilityWords, when } from "../words";
import styles from "./DetailPage.module.css";

type DetailHeaderProps = { document: Document; onDialog: (dialog: DocumentDialog) => void };

export function DetailHeader({ document, onDialog }: DetailHeaderProps) {
  const { folders } = useFolders();
  const menu = useDocumentMenu(document, onDialog).filter(({ id }) => id !== "download");
  const facts = [
    document.pages !== null && count(document.pages, "page"),
    document.chunks !== null && document.chunks > 0 && count(document.chunks, "passage"),
    bytes(document.size_bytes),
    `added ${when(document.created_at, new Date())} by ${document.owner.name}`,
  ].filter(Boolean);
  return (
    <header className={styles.header}>
      <div className={styles.titles}>
        <nav aria-label="Where it lies" className={styles.trail}>
          <Link href="/documents">Documents</Link>
          {pathOf(folders, document.folder_id).map((folder) => (
            <span key={folder.id} className={styles.step}>
              <Icon name="right" size={12} />
              <Link href={`/documents?folder=${folder.id}`}>{folder.name}</Link>
            </span>
          ))}
        </nav>
        <h1 className={styles.title}>{document.name}</h1>
        <p className={styles.facts}>
          {facts.join(" · ")} · seen by{" "}
          <Link href={`/documents/${document.id}?tab=sharing`} replace>
            {visibilityWords(document.visibility).label.toLowerCase()}
          </Link>
        </p>
      </div>
      <div className={styles.tools}>
        <IconLink
          icon="download"
          label="Download the original"
          href={`/api/documents/${document.id}/original`}
        />
        <Menu label={`Actions for ${document.name}`} items={menu} />
      </div>
    </header>
  );
}
