import type { ComponentProps } from "react";
import { classes } from "./classes";
import { Icon, type IconName } from "./Icon";
import styles from "./IconButton.module.css";
import { Tooltip } from "./Tooltip";

export type IconButtonProps = Omit<ComponentProps<"button">, "children" | "aria-label"> & {
  icon: IconName;
  /** What a press does: read out, and shown on hover and focus. */
  label: string;
  /** Shown after the label in the tooltip, e.g. "Ctrl K". */
  keys?: string;
  small?: boolean;
};

export function IconButton({ icon, label, keys, small, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={keys ? `${label} (${keys})` : label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={classes(styles.button, small && styles.small, className)}
      >
        <Icon name={icon} size={small ? 16 : 18} />
      </button>
    </Tooltip>
  );
}
