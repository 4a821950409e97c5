/** Draws one PDF page into elements: a sharp canvas, selectable text, and where the passage's words are. */
import type { Box } from "@/api/types";
import { boxToShare, isInside, joinLines, type Rect } from "./boxes";
import { type ItemRange, matchPassage } from "./match";
import { type PDFPageProxy, TextLayer } from "./pdf";

// Canvases beyond this many pixels fail on phones; 4096 x 4096 is the smallest limit in use.
const MOST_PIXELS = 16_777_216;

type Viewport = ReturnType<PDFPageProxy["getViewport"]>;
type TextContent = Awaited<ReturnType<PDFPageProxy["getTextContent"]>>;
type TextRun = Extract<TextContent["items"][number], { str: string }>;

export interface Drawing {
  canvas: HTMLCanvasElement;
  done: Promise<void>;
  cancel(): void;
}

/** Starts drawing at `width` CSS pixels, sharp for the screen it is on. */
export function drawCanvas(page: PDFPageProxy, width: number): Drawing {
  const base = page.getViewport({ scale: 1 });
  const wanted = (width / base.width) * (window.devicePixelRatio || 1);
  const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / (base.width * base.height)));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  return { canvas, done: task.promise, cancel: () => task.cancel() };
}

export interface Words {
  runs: TextRun[];
  elements: HTMLElement[];
}

/** Lays the page's text over it, invisible but selectable. */
export async function layText(page: PDFPageProxy, container: HTMLElement, width: number): Promise<Words> {
  const content = await page.getTextContent();
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
  container.replaceChildren();
  const layer = new TextLayer({ textContentSource: content, container, viewport });
  await layer.render();
  return {
    runs: content.items.filter((item): item is TextRun => "str" in item),
    elements: layer.textDivs as HTMLElement[],
  };
}

/** A text run's box in page points, top-left origin. */
function boxOf(run: TextRun, viewport: Viewport): Box {
  const [, , c, d, e, f] = run.transform as number[] as [number, number, number, number, number, number];
  const height = Math.hypot(c, d);
  const [x, baseline] = viewport.convertToViewportPoint(e, f) as [number, number];
  return [x, baseline - height, x + run.width, baseline];
}

function rectsOf(range: ItemRange, element: HTMLElement): Rect[] {
  const text = element.firstChild;
  if (!(text instanceof Text)) return [];
  const words = document.createRange();
  words.setStart(text, Math.min(range.start, text.length));
  words.setEnd(text, Math.min(range.end, text.length));
  return Array.from(words.getClientRects(), ({ left, top, width, height }) => ({ left, top, width, height }));
}

/** The passage's words as lines in shares of the page; null when they cannot be told for sure. */
export function findWords(
  words: Words,
  page: PDFPageProxy,
  boxes: readonly Box[],
  passage: string,
  frame: DOMRect,
) {
  const viewport = page.getViewport({ scale: 1 });
  const inside = words.runs
    .map((run, index) => ({ run, index }))
    .filter(({ run }) => boxes.length === 0 || isInside(boxOf(run, viewport), boxes));
  const ranges = matchPassage(
    inside.map(({ run }) => run.str),
    passage,
  );
  if (!ranges) return null;
  const rects = ranges.flatMap((range) => {
    const element = words.elements[inside[range.item]?.index ?? -1];
    return element ? rectsOf(range, element) : [];
  });
  const lineHeight = Math.max(1, ...rects.map((rect) => rect.height));
  return joinLines(rects, 1.5 * lineHeight).map((rect) => toShare(rect, frame));
}

function toShare(rect: Rect, frame: DOMRect): Rect {
  return {
    left: (100 * (rect.left - frame.left)) / frame.width,
    top: (100 * (rect.top - frame.top)) / frame.height,
    width: (100 * rect.width) / frame.width,
    height: (100 * rect.height) / frame.height,
  };
}

/** The passage's boxes in shares of the page. */
export function sharesOf(boxes: readonly Box[], page: PDFPageProxy): Rect[] {
  const { width, height } = page.getViewport({ scale: 1 });
  return boxes.map((box) => boxToShare(box, { width, height }));
}
