import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import { useActions } from "../actions";
import styles from "./Excluded.module.css";

/** The mark of an exchange that is left out of memory, and what that means. */
export function Excluded({ answerId }: { answerId: string }) {
  const actions = useActions();
  return (
    <p className={styles.mark}>
      <Icon name="hidden" size={16} />
      <span>
        Left out of memory: you still see this question and its answer, the model does not when it answers the
        next ones.
      </span>
      {actions && (
        <Button small tone="quiet" onClick={() => actions.exclude(answerId, false)}>
          Take in again
        </Button>
      )}
    </p>
  );
}
