import { type RefObject, useEffect } from "react";

/** Hovering or focusing a note lights the sentences that cite it, and the other way round. No drawing is redone. */
export function useLighting(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const onOver = (event: Event) => light(element, numbersAt(event.target));
    const onOut = () => light(element, []);
    element.addEventListener("pointerover", onOver);
    element.addEventListener("pointerleave", onOut);
    element.addEventListener("focusin", onOver);
    element.addEventListener("focusout", onOut);
    return () => {
      element.removeEventListener("pointerover", onOver);
      element.removeEventListener("pointerleave", onOut);
      element.removeEventListener("focusin", onOver);
      element.removeEventListener("focusout", onOut);
    };
  }, [root]);
}

function numbersAt(target: EventTarget | null): string[] {
  const cited = target instanceof Element ? target.closest<HTMLElement>("[data-cites]") : null;
  return cited?.dataset.cites?.split(" ") ?? [];
}

function light(root: HTMLElement, numbers: readonly string[]) {
  for (const element of root.querySelectorAll<HTMLElement>("[data-cites]")) {
    const own = element.dataset.cites?.split(" ") ?? [];
    if (own.some((n) => numbers.includes(n))) element.dataset.lit = "";
    else delete element.dataset.lit;
  }
}
