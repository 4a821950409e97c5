import type { ComponentProps } from "react";
import styles from "./Button.module.css";
import { classes } from "./classes";
import { Icon, type IconName } from "./Icon";
import { Spinner } from "./Spinner";

export type ButtonProps = ComponentProps<"button"> & {
  /** `primary` is for the one thing a view is about; `danger` for what cannot be taken back. */
  tone?: "primary" | "plain" | "quiet" | "danger";
  small?: boolean;
  icon?: IconName;
  /** Shows a spinner and ignores presses, keeping the button focusable. */
  busy?: boolean;
};

export function Button({
  tone = "plain",
  small,
  icon,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classes(styles.button, styles[tone], small && styles.small, className)}
    >
      {busy ? <Spinner size={16} /> : icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </button>
  );
}
