import { useSyncExternalStore } from "react";
import { Button } from "./Button";
import { IconButton } from "./IconButton";
import styles from "./Toast.module.css";

export type Toast = {
  id: number;
  message: string;
  tone?: "plain" | "failed";
  action?: { label: string; onAction: () => void };
  /** Called once when the toast leaves without its action having been used. */
  onExpire?: () => void;
};

const SHOWN_MS = 7000;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function publish(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says one sentence at the foot of the page for seven seconds; errors stay until closed. */
export function showToast(toast: Omit<Toast, "id">): void {
  const id = nextId++;
  for (const oldest of toasts.slice(0, -2)) expire(oldest.id);
  publish([...toasts, { ...toast, id }]);
  if (toast.tone !== "failed") setTimeout(() => expire(id), SHOWN_MS);
}

function take(id: number): Toast | undefined {
  const found = toasts.find((toast) => toast.id === id);
  if (found) publish(toasts.filter((toast) => toast.id !== id));
  return found;
}

function expire(id: number) {
  take(id)?.onExpire?.();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A strip in the flow of the page, so that a toast never covers what it speaks of. */
export function ToastRegion() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={styles.region} role="status" aria-live="polite">
      {shown.map((toast) => (
        <div key={toast.id} className={toast.tone === "failed" ? styles.failed : styles.toast}>
          <span className={styles.message}>{toast.message}</span>
          {toast.action && (
            <Button
              small
              tone="quiet"
              className={styles.action}
              onClick={() => take(toast.id) && toast.action?.onAction()}
            >
              {toast.action.label}
            </Button>
          )}
          <IconButton
            small
            icon="close"
            label="Dismiss"
            className={styles.close}
            onClick={() => expire(toast.id)}
          />
        </div>
      ))}
    </div>
  );
}
