import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

const NEAR_PX = 60;

type Place = RefObject<HTMLElement | null>;

/**
 * Keeps a growing page at its foot while the reader is there. Any move up hands the page to the reader,
 * until they come back down by themselves or ask to. A thread that is only read opens at its last question
 * (`[data-turn]`), where reading goes on; `opened` is null until it is drawn.
 */
export function useStickToFoot(scroller: Place, content: Place, opened: "reading" | "writing" | null) {
  const following = useRef(false);
  const isStarted = useRef(false);
  const [isAway, setAway] = useState(false);

  useLayoutEffect(() => {
    if (opened === null || isStarted.current) return;
    isStarted.current = true;
    following.current = opened === "writing";
    const turns = content.current?.querySelectorAll("[data-turn]") ?? [];
    if (opened === "reading" && turns.length > 1) turns[turns.length - 1]?.scrollIntoView({ block: "start" });
  }, [content, opened]);

  const toFoot = useCallback(() => {
    following.current = true;
    setAway(false);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return;
    let lastTop = element.scrollTop;
    const read = () => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      if (isNear && element.scrollTop > lastTop) following.current = true;
      if (!isNear && element.scrollTop < lastTop - 1) following.current = false;
      lastTop = element.scrollTop;
      setAway(!isNear && !following.current);
    };
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) following.current = false;
    };
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight;
      else read();
    });
    observer.observe(content.current);
    observer.observe(element);
    element.addEventListener("scroll", read, { passive: true });
    element.addEventListener("wheel", onWheel, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", read);
      element.removeEventListener("wheel", onWheel);
    };
  }, [scroller, content]);

  return { isAway, toFoot };
}

/** Whether an element is at least `pixels` wide. */
export function useIsWide(element: Place, pixels: number): boolean {
  const [isWide, setWide] = useState(() => window.innerWidth >= pixels + 272);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWide(entry.contentRect.width >= pixels));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, pixels]);
  return isWide;
}
