import type { ReactNode } from "react";
import { Menu as AriaMenu, Button, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { classes } from "./classes";
import { Icon, type IconName } from "./Icon";
import styles from "./Menu.module.css";

export type MenuEntry = {
  id: string;
  label: string;
  icon?: IconName;
  danger?: boolean;
  disabled?: boolean;
  onAction: () => void;
};

export type MenuProps = {
  /** Name of the trigger, e.g. "Actions for report.pdf". */
  label: string;
  items: readonly MenuEntry[];
  /** What the trigger shows; three dots if left out. */
  children?: ReactNode;
  className?: string;
  defaultOpen?: boolean;
};

export function Menu({ label, items, children, className, defaultOpen }: MenuProps) {
  return (
    <MenuTrigger defaultOpen={defaultOpen}>
      <Button aria-label={label} className={classes(children ? styles.plain : styles.trigger, className)}>
        {children ?? <Icon name="more" size={16} />}
      </Button>
      <Popover className={styles.popover} placement="bottom end" offset={4}>
        <AriaMenu
          className={styles.menu}
          items={items}
          onAction={(key) => items.find((item) => item.id === key)?.onAction()}
        >
          {(item) => (
            <MenuItem
              id={item.id}
              textValue={item.label}
              isDisabled={item.disabled}
              className={classes(styles.item, item.danger && styles.danger)}
            >
              {item.icon && <Icon name={item.icon} size={16} />}
              {item.label}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
