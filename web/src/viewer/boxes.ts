/** Geometry of highlights: boxes in page points (top-left origin) to shares of the page, and lines of words. */

import type { Box } from "@/api/types";

export interface Rect {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

// Half a line's descender: parsers give tight boxes, and a mark that touches its letters looks cut off.
const PADDING_POINTS = 2;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Percentages of the page, padded a little and kept on it. */
export function boxToShare(box: Box, page: Size, padding = PADDING_POINTS): Rect {
  const left = clamp(box[0] - padding, 0, page.width);
  const top = clamp(box[1] - padding, 0, page.height);
  const right = clamp(box[2] + padding, left, page.width);
  const bottom = clamp(box[3] + padding, top, page.height);
  return {
    left: (100 * left) / page.width,
    top: (100 * top) / page.height,
    width: (100 * (right - left)) / page.width,
    height: (100 * (bottom - top)) / page.height,
  };
}

/** Whether the middle of `inner` lies in one of `boxes`, with a little tolerance. Same units. */
export function isInside(inner: Box, boxes: readonly Box[], tolerance = PADDING_POINTS): boolean {
  const x = (inner[0] + inner[2]) / 2;
  const y = (inner[1] + inner[3]) / 2;
  return boxes.some(
    (box) =>
      x >= box[0] - tolerance &&
      x <= box[2] + tolerance &&
      y >= box[1] - tolerance &&
      y <= box[3] + tolerance,
  );
}

function sameLine(a: Rect, b: Rect): boolean {
  const overlap = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return overlap > 0.5 * Math.min(a.height, b.height);
}

/** Word rectangles joined into one per line where no more than `gap` lies between them. */
export function joinLines(rects: readonly Rect[], gap: number): Rect[] {
  const lines: Rect[] = [];
  for (const rect of [...rects].sort((a, b) => a.top - b.top || a.left - b.left)) {
    const near = lines.find(
      (line) =>
        sameLine(line, rect) &&
        rect.left <= line.left + line.width + gap &&
        line.left <= rect.left + rect.width + gap,
    );
    if (!near) {
      lines.push({ ...rect });
      continue;
    }
    const right = Math.max(near.left + near.width, rect.left + rect.width);
    const bottom = Math.max(near.top + near.height, rect.top + rect.height);
    near.left = Math.min(near.left, rect.left);
    near.top = Math.min(near.top, rect.top);
    near.width = right - near.left;
    near.height = bottom - near.top;
  }
  return lines;
}

/** The smallest rectangle around all, or null for none. */
export function bounds(rects: readonly Rect[]): Rect | null {
  const [first, ...rest] = rects;
  if (!first) return null;
  return rest.reduce<Rect>((all, rect) => {
    const left = Math.min(all.left, rect.left);
    const top = Math.min(all.top, rect.top);
    return {
      left,
      top,
      width: Math.max(all.left + all.width, rect.left + rect.width) - left,
      height: Math.max(all.top + all.height, rect.top + rect.height) - top,
    };
  }, first);
}
