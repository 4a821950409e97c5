import { type RefObject, useEffect, useState } from "react";

// While a pane slides or a window is dragged, the old drawing is stretched; it is redrawn once it rests.
const REST_MS = 120;

/** The element's inner width in CSS pixels, settled; 0 before it is known. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(([entry]) => {
      const next = Math.round(entry?.contentRect.width ?? 0);
      clearTimeout(timer);
      timer = setTimeout(() => setWidth(next), REST_MS);
    });
    setWidth(Math.round(element.clientWidth));
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [ref]);
  return width;
}
