/** The body of a chat request in parts that a person can read. */

export type SentPart = { role: string; label: string; text: string };
export type Sent = { model: string | null; parts: SentPart[]; tools: string[] };

const LABELS: Record<string, string> = {
  system: "Instructions",
  developer: "Instructions",
  user: "You",
  assistant: "The model",
  tool: "What a tool brought back",
};

type Call = { function?: { name?: string; arguments?: string } };
type SentMessage = { role?: string; content?: unknown; tool_calls?: Call[] };

export function sentOf(body: unknown): Sent {
  const { model, messages, tools } = (body ?? {}) as { model?: unknown; messages?: unknown; tools?: unknown };
  return {
    model: typeof model === "string" ? model : null,
    parts: Array.isArray(messages) ? messages.map((one) => toPart(one as SentMessage)) : [],
    tools: Array.isArray(tools) ? (tools as Call[]).flatMap((tool) => tool.function?.name ?? []) : [],
  };
}

function toPart({ role = "", content, tool_calls: calls = [] }: SentMessage): SentPart {
  const asked = calls.map(({ function: called }) => `→ ${called?.name ?? "?"} ${called?.arguments ?? ""}`);
  return { role, label: LABELS[role] ?? role, text: [textOf(content), ...asked].filter(Boolean).join("\n") };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: string }) => part.text ?? "").join("\n");
}
