import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./Tooltip.module.css";

const DELAY_MS = 450;
const MARGIN = 8;

/** Words for a control that shows none. Repeats its accessible name, so it is hidden from readers. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const holder = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [anchor, setAnchor] = useState<DOMRect | null>(null);

  const show = (delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setAnchor(holder.current?.firstElementChild?.getBoundingClientRect() ?? null);
    }, delay);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setAnchor(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for its child, is no control itself
    <span
      ref={holder}
      className={styles.holder}
      onPointerEnter={(event) => event.pointerType === "mouse" && show(DELAY_MS)}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(":focus-visible") && show(0)}
      onBlur={hide}
      onKeyDown={(event) => event.key === "Escape" && hide()}
    >
      {children}
      {anchor && createPortal(<Bubble text={text} anchor={anchor} />, document.body)}
    </span>
  );
}

function Bubble({ text, anchor }: { text: string; anchor: DOMRect }) {
  const below = anchor.bottom + 40 < window.innerHeight;
  const centre = Math.min(Math.max(anchor.left + anchor.width / 2, 70), window.innerWidth - 70);
  return (
    <span
      aria-hidden="true"
      className={styles.bubble}
      style={{
        left: centre,
        top: below ? anchor.bottom + MARGIN : anchor.top - MARGIN,
        translate: below ? "-50% 0" : "-50% -100%",
      }}
    >
      {text}
    </span>
  );
}
