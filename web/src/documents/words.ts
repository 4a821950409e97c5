/** The words for states, stages, counts and times of documents: one place, so that every view says the same. */

export type Tone = "ready" | "busy" | "attention" | "failed" | "quiet";

interface StatusWords {
  label: string;
  tone: Tone;
}

const STATUS: Record<string, StatusWords> = {
  pending: { label: "Waiting", tone: "busy" },
  processing: { label: "Working", tone: "busy" },
  completed: { label: "Ready", tone: "ready" },
  partial: { label: "Ready in part", tone: "attention" },
  needs_ocr: { label: "No text in it", tone: "attention" },
  failed: { label: "Failed", tone: "failed" },
  cancelled: { label: "Stopped", tone: "quiet" },
};

/** The order of the filter chips. */
export const STATUSES = Object.keys(STATUS);

export function statusWords(status: string): StatusWords {
  return STATUS[status] ?? { label: status, tone: "quiet" };
}

const STAGE: Record<string, string> = {
  queued: "Waiting its turn",
  parsing: "Reading",
  chunking: "Cutting into passages",
  embedding: "Making it searchable",
  linking: "Connecting names",
  done: "Finishing",
};

export interface Progress {
  done: number;
  total: number;
  unit: string;
}

const UNIT: Record<string, string> = { pages: "page", chunks: "passage" };

/** "Reading, page 12 of 73", or the stage alone while nothing has been counted. */
export function stageWords(stage: string | null, progress: Progress | null): string {
  const words = STAGE[stage ?? "queued"] ?? "Working";
  if (!progress || progress.total <= 0 || stage === "queued") return words;
  const unit = UNIT[progress.unit] ?? progress.unit;
  return `${words}, ${unit} ${number(progress.done)} of ${number(progress.total)}`;
}

export function number(value: number): string {
  return value.toLocaleString("en");
}

/** "1 passage", "42 passages". */
export function count(value: number, noun: string, plural = `${noun}s`): string {
  return `${number(value)} ${value === 1 ? noun : plural}`;
}

const BYTE_UNITS = ["bytes", "KB", "MB", "GB"];

/** "0 bytes", "820 KB", "2.4 MB"; units of 1,024, as the server's limit is. */
export function bytes(value: number): string {
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < BYTE_UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit >= 2 && size < 10 ? 1 : 0;
  const rounded = size.toFixed(digits).replace(/\.0$/, "");
  return unit === 0 && value === 1 ? "1 byte" : `${rounded} ${BYTE_UNITS[unit]}`;
}

/** A duration for facts: "0.4 s", "12 s", "3 min 5 s". */
export function seconds(value: number): string {
  if (value < 10) return `${value.toFixed(1)} s`;
  const whole = Math.round(value);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

const TYPE: Record<string, string> = { email: "E-mail", web_page: "Web page", resume: "Curriculum vitae" };

/** "Invoice", "Web page": what kind of document it is. */
export function typeWords(type: string): string {
  return TYPE[type] ?? type.charAt(0).toUpperCase() + type.slice(1);
}

/** "2020-05-05" as "5 May 2020": a day of the calendar, the same in every time zone. */
export function day(iso: string): string {
  return new Date(`${iso}T00:00:00Z`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** Ascending numbers in words as short as they can be: "3, 7–9". */
export function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const one of numbers) {
    const last = runs.at(-1);
    if (last && one === last[1] + 1) last[1] = one;
    else runs.push([one, one]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

const DAY = 86_400_000;

/** "today 14:05", "yesterday", "12 Mar" or "12 Mar 2024", in the reader's own time zone. */
export function when(iso: string, now: Date): string {
  const date = new Date(iso);
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const time = date.getTime();
  if (time >= midnight)
    return `today ${date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
  if (time >= midnight - DAY) return "yesterday";
  const day = date.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return date.getFullYear() === now.getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

export interface Visibility {
  value: string;
  label: string;
  /** What a menu entry that chooses it says. */
  action: string;
  icon: "lock" | "people" | "globe";
  help: string;
}

export const VISIBILITIES: readonly Visibility[] = [
  {
    value: "private",
    label: "Only me",
    action: "Only I may see it",
    icon: "lock",
    help: "Answers for other people never draw on it.",
  },
  {
    value: "workspace",
    label: "Everyone here",
    action: "Everyone here may see it",
    icon: "people",
    help: "All members of this workspace can find it, open it and get answers from it.",
  },
];

const OTHER_VISIBILITY: Record<string, Visibility> = {
  shared: {
    value: "shared",
    label: "Some people",
    action: "",
    icon: "people",
    help: "The people it was shared with can find it and open it.",
  },
  public: {
    value: "public",
    label: "Anyone",
    action: "",
    icon: "globe",
    help: "Guests without an account can get answers from it, too.",
  },
};

export function visibilityWords(value: string): Visibility {
  return (
    VISIBILITIES.find((one) => one.value === value) ??
    OTHER_VISIBILITY[value] ?? { value, label: value, action: "", icon: "people", help: "" }
  );
}

export interface Problem {
  reason: string;
  hint: string;
}

type Troubled = {
  status: string;
  pages: number | null;
  error: { message: string; hint: string | null } | null;
  warnings: readonly { message: string; page?: number | null }[];
};

/** Why a document is not simply ready, and what to do about it; null where there is nothing to say. */
export function problemOf({ status, pages, error, warnings }: Troubled): Problem | null {
  if (error) return { reason: error.message, hint: error.hint ?? "" };
  if (status === "needs_ocr") {
    const what = pages === 1 ? "Its page is a picture" : "Its pages are pictures";
    return {
      reason: `${what} without text, so nothing in it can be found.`,
      hint: "Run text recognition (OCR) over the file and add the result.",
    };
  }
  if (status === "cancelled") return { reason: "It was stopped before it was read to the end.", hint: "" };
  const [first] = warnings;
  if (status !== "partial" || !first) return null;
  const where = first.page ? `Page ${first.page}: ` : "";
  const more = warnings.length > 1 ? `And ${count(warnings.length - 1, "more remark")} on its page.` : "";
  return { reason: `${where}${first.message}`, hint: more };
}

interface Receipt {
  name: string;
  deleted: Record<string, number>;
}

const PARTS: readonly [key: string, noun: string][] = [
  ["chunks", "passage"],
  ["vectors", "vector"],
  ["blobs", "file"],
];

/** "Deleted report.pdf: 42 passages, 42 vectors, 1 file". */
export function receiptWords(receipts: readonly Receipt[]): string {
  const sums = PARTS.map(([key, noun]) =>
    count(
      receipts.reduce((sum, receipt) => sum + (receipt.deleted[key] ?? 0), 0),
      noun,
    ),
  );
  const what = receipts.length === 1 ? (receipts[0] as Receipt).name : count(receipts.length, "document");
  return `Deleted ${what}: ${sums.join(", ")}`;
}
