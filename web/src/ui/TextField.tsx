import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes";
import styles from "./TextField.module.css";

export type TextFieldProps = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  /** One grey sentence under the field. */
  help?: ReactNode;
  /** Replaces the help; read out when it appears. */
  error?: string | null;
  /** Keeps the label for readers only. */
  hideLabel?: boolean;
};

export function TextField({ label, help, error, hideLabel, className, ...rest }: TextFieldProps) {
  const id = useId();
  const note = error || help;
  return (
    <div className={classes(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : styles.label}>
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={styles.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
      />
      {note && (
        <p
          id={`${id}-note`}
          className={error ? styles.error : styles.help}
          role={error ? "alert" : undefined}
        >
          {note}
        </p>
      )}
    </div>
  );
}
