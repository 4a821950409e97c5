import type { Message } from "@/api/types";

/** The id of the newest question, or null where none was asked. */
export function lastQuestion(messages: readonly Message[]): string | null {
  return messages.findLast((message) => message.role === "user")?.id ?? null;
}
