import { Checkbox } from "react-aria-components";
import { Icon } from "@/ui/Icon";
import styles from "./RowCheckbox.module.css";

/** The box that selects a row, or in the head all of them. */
export function RowCheckbox() {
  return (
    <Checkbox slot="selection" className={styles.checkbox}>
      {({ isIndeterminate }) => (
        <span className={styles.box}>
          {isIndeterminate ? <span className={styles.dash} /> : <Icon name="check" size={14} />}
        </span>
      )}
    </Checkbox>
  );
}
