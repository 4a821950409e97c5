import { Spinner } from "@/ui/Spinner";
import styles from "./Waiting.module.css";

/** Shown while a page loads; invisible for its first moments, so quick loads do not flash. */
export function Waiting() {
  return (
    <div className={styles.waiting}>
      <Spinner size={24} label="Loading" />
    </div>
  );
}
