import { type ReactNode, useId } from "react";
import styles from "./Switch.module.css";

export type SwitchProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  help?: ReactNode;
  disabled?: boolean;
};

export function Switch({ label, checked, onChange, help, disabled }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={styles.input}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={help ? `${id}-note` : undefined}
      />
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {help && (
        <p id={`${id}-note`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  );
}
