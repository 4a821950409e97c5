// Near the top: the marked words with what leads up to them in sight.
const SHARE = 0.22;

/** Scrolls `mark` into the reader's view inside `area` only, never the page around it. */
export function reveal(area: HTMLElement, mark: HTMLElement): void {
  const offset = mark.getBoundingClientRect().top - area.getBoundingClientRect().top;
  area.scrollTo({ top: area.scrollTop + offset - SHARE * area.clientHeight });
}
