/** Threads under the days they were last used. */
import type { Thread } from "@/api/types";

export type Day = { label: string; threads: Thread[] };

const DAY_MS = 86_400_000;

/** Groups threads (newest first) under Today, Yesterday, a weekday, or a month. Days are the reader's own. */
export function byDay(threads: readonly Thread[], now = new Date(), locale?: string): Day[] {
  const days: Day[] = [];
  for (const thread of threads) {
    const label = dayLabel(new Date(thread.updated_at), now, locale);
    const last = days.at(-1);
    if (last?.label === label) last.threads.push(thread);
    else days.push({ label, threads: [thread] });
  }
  return days;
}

function dayLabel(date: Date, now: Date, locale?: string): string {
  const days = Math.round((midnight(now) - midnight(date)) / DAY_MS);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return date.toLocaleDateString(locale, { weekday: "long" });
  const sameYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(locale, sameYear ? { month: "long" } : { month: "long", year: "numeric" });
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
