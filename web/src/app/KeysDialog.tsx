import { Dialog } from "@/ui/Dialog";
import { MOD } from "./hotkeys";
import styles from "./KeysDialog.module.css";

const KEYS: [keys: string[], what: string][] = [
  [[MOD, "K"], "Go anywhere"],
  [["/"], "Write a question"],
  [["Enter"], "Send the question"],
  [["Shift", "Enter"], "Start a new line"],
  [["↑"], "Change the last question, from an empty field"],
  [["Esc"], "Stop the answer, or close what is open"],
  [["?"], "Show these keys"],
];

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
      <dl className={styles.keys}>
        {KEYS.map(([keys, what]) => (
          <div key={what} className={styles.row}>
            <dt>{what}</dt>
            <dd className={styles.caps}>
              {keys.map((key) => (
                <kbd key={key} className={styles.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
