// Near the top: the marked words with what leads up to them in sight.
const SHARE = 0.22;

/** Scrolls `mark` into the reader's view inside `area` only, never the page around it. */
export function reveal(area: HTMLElement, mark: HTMLElement): void {
  const [frame, target] = [area.getBoundingClientRect(), mark.getBoundingClientRect()];
  const margin = 24; // the rule with a little of the page before it
  area.scrollTo({
    top: area.scrollTop + target.top - frame.top - SHARE * area.clientHeight,
    left: area.scrollLeft + target.left - frame.left - margin,
  });
}
