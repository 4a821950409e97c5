import { type ReactNode, useState } from "react";
import { Dialog } from "@/ui/Dialog";
import { DialogActions } from "@/ui/DialogActions";
import { Select, type SelectProps } from "@/ui/Select";

type MoveDialogProps = {
  title: string;
  options: SelectProps["options"];
  /** The option to begin with. */
  initial: string;
  help?: ReactNode;
  /** Said where there is no option. */
  nowhere: string;
  busy: boolean;
  onMove: (target: string) => void;
  onClose: () => void;
};

/** Asks where something is to go. */
export function MoveDialog({
  title,
  options,
  initial,
  help,
  nowhere,
  busy,
  onMove,
  onClose,
}: MoveDialogProps) {
  const [target, setTarget] = useState(initial);
  return (
    <Dialog
      isOpen
      title={title}
      onClose={onClose}
      actions={
        <DialogActions
          onCancel={onClose}
          disabled={options.length === 0}
          busy={busy}
          onClick={() => onMove(target)}
        >
          Move
        </DialogActions>
      }
    >
      {options.length === 0 ? (
        <p>{nowhere}</p>
      ) : (
        <Select label="Into" options={options} value={target} onChange={setTarget} help={help} />
      )}
    </Dialog>
  );
}
