import { Button, type ButtonProps } from "./Button";

type DialogActionsProps = Omit<ButtonProps, "tone"> & { onCancel: () => void };

/** What a dialog that asks for something ends with: a way back, and the one thing that it is about. */
export function DialogActions({ onCancel, ...action }: DialogActionsProps) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button tone="primary" {...action} />
    </>
  );
}
