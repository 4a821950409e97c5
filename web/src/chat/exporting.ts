import type { Thread } from "@/api/types";

/** Downloads the branch of a thread that is shown, as Markdown; the server names the file. */
export function exportThread(thread: Pick<Thread, "id">): void {
  const link = document.createElement("a");
  link.href = `/api/threads/${thread.id}/export`;
  link.download = "";
  link.click();
}
