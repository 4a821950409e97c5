import { Link } from "wouter";
import type { ToolCall } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { useActions } from "../actions";
import styles from "./FileCards.module.css";
import { sentFiles } from "./sent";

/** The files themselves that were asked for, to open or to download. */
export function FileCards({ tools }: { tools: readonly ToolCall[] }) {
  const isGuest = useActions() === null;
  const files = sentFiles(tools);
  if (files.length === 0) return null;
  return (
    <ul className={styles.files} aria-label="Files">
      {files.map(({ documentId, name, url }) => (
        <li key={documentId} className={styles.file}>
          <Icon name="file" size={20} />
          <span className={styles.name}>{name}</span>
          {!isGuest && (
            <Link href={`/documents/${documentId}`} className={styles.action} aria-label={`Open ${name}`}>
              <Icon name="open" size={16} />
              Open
            </Link>
          )}
          {!isGuest && (
            <a href={url} download={name} className={styles.action} aria-label={`Download ${name}`}>
              <Icon name="download" size={16} />
              Download
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
