import { useSyncExternalStore } from "react";

// Below this width (the rail's own limit) the reading column and the pane do not fit side by side.
const NARROW = "(max-width: 820px)";

function subscribe(listener: () => void) {
  const media = matchMedia(NARROW);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** Whether the pane is a sheet over the page rather than a column of it. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
}
