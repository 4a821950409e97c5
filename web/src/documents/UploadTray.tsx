import { useSyncExternalStore } from "react";
import { Link } from "wouter";
import type { Folder } from "@/api/types";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { IconButton } from "@/ui/IconButton";
import { Progress } from "@/ui/Progress";
import { useRefresh } from "./queries";
import { pathWords } from "./tree";
import styles from "./UploadTray.module.css";
import { currentUploads, dismiss, sendAgain, subscribe, type Upload } from "./uploads";
import { bytes } from "./words";

/** Files on their way, and those that did not make it, each with its reason and the next step. */
export function UploadTray({ folders }: { folders: readonly Folder[] }) {
  const uploads = useSyncExternalStore(subscribe, currentUploads);
  const settled = uploads.filter((upload) => upload.state !== "waiting" && upload.state !== "sending");
  return (
    <div role="status" aria-live="polite" className={classes(uploads.length > 0 && styles.tray)}>
      {uploads.length > 0 && (
        <ul className={styles.list} aria-label="Uploads">
          {uploads.map((upload) => (
            <li key={upload.id} className={classes(styles.item, styles[upload.state])}>
              <Item upload={upload} folders={folders} />
            </li>
          ))}
        </ul>
      )}
      {settled.length > 2 && (
        <Button small tone="quiet" onClick={() => dismiss(...settled.map(({ id }) => id))}>
          Dismiss all {settled.length}
        </Button>
      )}
    </div>
  );
}

function Item({ upload, folders }: { upload: Upload; folders: readonly Folder[] }) {
  const refresh = useRefresh();
  const { id, name, size, state, share, message, original } = upload;
  if (state === "waiting" || state === "sending") {
    const percent = Math.round(share * 100);
    return (
      <>
        <span className={styles.name}>{name}</span>
        <span className={styles.words} aria-hidden="true">
          {state === "waiting" ? "Next" : share < 1 ? `${percent} % of ${bytes(size)}` : "Storing"}
        </span>
        <IconButton small icon="close" label={`Stop sending ${name}`} onClick={() => dismiss(id)} />
        <div className={styles.bar}>
          <Progress value={share} label={`Sending ${name}`} />
        </div>
      </>
    );
  }
  return (
    <>
      <span className={styles.message}>
        {original ? <Duplicate name={name} original={original} folders={folders} /> : message}
      </span>
      {original && (
        <Link href={`/documents/${original.id}`} className={styles.open} onClick={() => dismiss(id)}>
          Open it
        </Link>
      )}
      {state === "failed" && (
        <Button small icon="retry" onClick={() => sendAgain(id, () => void refresh())}>
          Send again
        </Button>
      )}
      <IconButton small icon="close" label={`Dismiss ${name}`} onClick={() => dismiss(id)} />
    </>
  );
}

type DuplicateProps = { name: string; original: NonNullable<Upload["original"]>; folders: readonly Folder[] };

function Duplicate({ name, original, folders }: DuplicateProps) {
  const place = original.folder_id ? ` in ${pathWords(folders, original.folder_id)}` : "";
  const isRenamed = original.name !== name;
  return (
    <>
      <strong>{name}</strong> is already here
      {isRenamed && (
        <>
          {" "}
          as <strong>{original.name}</strong>
        </>
      )}
      {place}, so nothing was read twice.
    </>
  );
}
