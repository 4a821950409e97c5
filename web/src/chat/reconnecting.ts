const WAIT_MS = 700;
const LONGEST_MS = 5000;
const WITHOUT_SIGN_MS = 15_000; // browsers are not always told when the network is back

/** Resolves when a broken connection may be tried again: after a moment, or once the browser is online again. */
export async function reconnected(attempt: number): Promise<void> {
  if (!navigator.onLine) await Promise.race([online(), sleep(WITHOUT_SIGN_MS)]);
  else await sleep(Math.min(WAIT_MS * 1.4 ** attempt, LONGEST_MS));
}

function online(): Promise<void> {
  return new Promise((resolve) => window.addEventListener("online", () => resolve(), { once: true }));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
