import { useId, useState } from "react";
import { Dialog } from "@/ui/Dialog";
import { DialogActions } from "@/ui/DialogActions";
import { TextField } from "@/ui/TextField";
import { pasteName } from "./checks";
import styles from "./PasteDialog.module.css";
import { count } from "./words";

type PasteDialogProps = {
  initial: string;
  place: string;
  onAdd: (files: File[]) => void;
  onClose: () => void;
};

/** Turns text into a .txt document. The name follows the first line until somebody gives one. */
export function PasteDialog({ initial, place, onAdd, onClose }: PasteDialogProps) {
  const [text, setText] = useState(initial);
  const [name, setName] = useState<string | null>(null);
  const id = useId();
  const shown = name ?? (text.trim() ? pasteName(text) : "");
  const words = text.trim() === "" ? 0 : text.trim().split(/\s+/).length;
  const add = () => {
    const full = /\.(txt|md)$/i.test(shown) ? shown : `${shown || "Pasted text"}.txt`;
    onAdd([new File([text], full, { type: "text/plain" })]);
    onClose();
  };
  return (
    <Dialog
      wide
      isOpen
      title="Add text as a document"
      onClose={onClose}
      actions={
        <DialogActions onCancel={onClose} disabled={words === 0} onClick={add}>
          Add to {place}
        </DialogActions>
      }
    >
      <div className={styles.fields}>
        <TextField
          label="Name"
          value={shown}
          placeholder="Pasted text.txt"
          onChange={(event) => setName(event.target.value)}
        />
        <label htmlFor={id} className={styles.label}>
          Text
        </label>
        <textarea
          id={id}
          autoFocus
          rows={12}
          className={styles.text}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p className={styles.count}>{count(words, "word")}</p>
      </div>
    </Dialog>
  );
}
