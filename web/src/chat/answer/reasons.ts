/** Ready-made reasons for a rating. */
export const REASONS = {
  up: ["Complete", "Right sources", "Well put"],
  down: ["Wrong", "Incomplete", "Wrong source", "Not what I asked"],
};
const BETWEEN = " · ";

/** A reason with a ready-made part put in front, or taken out again. */
export function toggled(reason: string, part: string): string {
  const parts = reason.split(/\s*·\s*/).filter(Boolean);
  return (parts.includes(part) ? parts.filter((one) => one !== part) : [part, ...parts]).join(BETWEEN);
}

export function has(reason: string, part: string): boolean {
  return reason.split(/\s*·\s*/).includes(part);
}
