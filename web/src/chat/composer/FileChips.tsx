import { Icon } from "@/ui/Icon";
import { IconButton } from "@/ui/IconButton";
import { Progress } from "@/ui/Progress";
import type { Attachment } from "./attachments";
import styles from "./FileChips.module.css";

type FileChipsProps = { attachments: readonly Attachment[]; onRemove: (key: number) => void };

/** The files of a question: each with what is being done to it, or why it cannot be. */
export function FileChips({ attachments, onRemove }: FileChipsProps) {
  if (attachments.length === 0) return null;
  return (
    <ul className={styles.files} aria-label="Files">
      {attachments.map((file) => (
        <li key={file.key} className={styles.file} data-state={file.state}>
          <Icon
            name={file.state === "ready" ? "check" : file.state === "failed" ? "alert" : "file"}
            size={16}
          />
          <div className={styles.middle}>
            <div className={styles.line}>
              <span className={styles.name}>{file.name}</span>
              <span className={styles.words}>{file.words}</span>
            </div>
            {(file.state === "uploading" || file.state === "reading") && (
              <Progress value={file.share} label={`${file.name}: ${file.words}`} />
            )}
          </div>
          <IconButton
            small
            icon="close"
            label={`Take ${file.name} off the list`}
            onClick={() => onRemove(file.key)}
          />
        </li>
      ))}
    </ul>
  );
}
