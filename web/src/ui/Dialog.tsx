import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import styles from "./Dialog.module.css";
import { IconButton } from "./IconButton";

export type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the safe one first. */
  actions?: ReactNode;
  wide?: boolean;
  /** `alertdialog` for a question that must be answered. */
  role?: "dialog" | "alertdialog";
};

export function Dialog({ title, isOpen, onClose, children, actions, wide, role }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.overlay}
      isOpen={isOpen}
      isDismissable={role !== "alertdialog"}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={wide ? styles.wide : styles.modal}>
        <AriaDialog role={role} className={styles.dialog}>
          <header className={styles.header}>
            <Heading slot="title" className={styles.title}>
              {title}
            </Heading>
            <IconButton icon="close" label="Close" onClick={onClose} />
          </header>
          <div className={styles.body}>{children}</div>
          {actions && <footer className={styles.actions}>{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
