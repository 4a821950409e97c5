import { useEffect } from "react";

const OTHERS = "[role=dialog], [role=alertdialog], [role=menu], aside, input, textarea"; // have their own Escape

/** Escape stops the answer from anywhere on the page, unless it is meant for something that is open. */
export function useStopKey(onStop: (() => void) | null): void {
  useEffect(() => {
    if (!onStop) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(OTHERS)) return;
      event.preventDefault();
      onStop();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onStop]);
}
