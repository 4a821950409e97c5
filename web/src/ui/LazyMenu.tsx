import { lazy, Suspense, useState } from "react";
import { Icon } from "./Icon";
import type { MenuProps } from "./Menu";
import styles from "./Menu.module.css";

const load = () => import("./Menu");
const Menu = lazy(async () => ({ default: (await load()).Menu }));

/** A menu whose code comes when it is first pressed, for pages that must show at once. */
export function LazyMenu(props: Omit<MenuProps, "children" | "defaultOpen">) {
  const [isWanted, setWanted] = useState(false);
  const stand = (
    <button
      type="button"
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={isWanted}
      className={styles.trigger}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      <Icon name="more" size={16} />
    </button>
  );
  if (!isWanted) return stand;
  return (
    <Suspense fallback={stand}>
      <Menu {...props} defaultOpen />
    </Suspense>
  );
}
