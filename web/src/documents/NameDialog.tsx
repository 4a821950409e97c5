import { type FocusEvent, type FormEvent, type ReactNode, useId, useState } from "react";
import { Dialog } from "@/ui/Dialog";
import { DialogActions } from "@/ui/DialogActions";
import { TextField } from "@/ui/TextField";

type NameDialogProps = {
  title: string;
  initial: string;
  maxLength: number;
  /** What the button says. */
  action: string;
  help?: ReactNode;
  error?: string | null;
  busy: boolean;
  onFocus?: (event: FocusEvent<HTMLInputElement>) => void;
  onName: (name: string) => void;
  onClose: () => void;
};

/** Asks for a name. */
export function NameDialog({ title, initial, action, busy, onName, onClose, ...field }: NameDialogProps) {
  const form = useId();
  const [name, setName] = useState(initial);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onName(name.trim());
  };
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      actions={
        <DialogActions onCancel={onClose} type="submit" form={form} disabled={name.trim() === ""} busy={busy}>
          {action}
        </DialogActions>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          autoFocus
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          {...field}
        />
      </form>
    </Dialog>
  );
}
