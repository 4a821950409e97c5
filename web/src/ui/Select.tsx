import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes";
import styles from "./Select.module.css";

export type SelectProps = Omit<ComponentProps<"select">, "id" | "children" | "onChange"> & {
  label: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  help?: ReactNode;
  hideLabel?: boolean;
};

/** The browser's own select: right on every phone and with every screen reader. */
export function Select({ label, options, onChange, help, hideLabel, className, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className={classes(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : styles.label}>
        {label}
      </label>
      <select
        {...rest}
        id={id}
        className={styles.select}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={help ? `${id}-note` : undefined}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {help && (
        <p id={`${id}-note`} className={styles.help}>
          {help}
        </p>
      )}
    </div>
  );
}
