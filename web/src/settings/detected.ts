/** Model servers found on this machine, and which of their models suits a section. */
import type { DetectedServers, SettingSection } from "@/api/types";
import { count } from "@/documents/words";

export type DetectedServer = DetectedServers["servers"][number];

const EMBEDS = /embed|minilm|bge|e5|gte/i;
const RERANKS = /rerank/i;

/** The first model whose name fits what the section is for; empty where none does. */
export function guessModel(models: readonly string[], section: SettingSection["id"]): string {
  if (section === "rerank") return models.find((name) => RERANKS.test(name)) ?? "";
  if (section === "embedding") return models.find((name) => EMBEDS.test(name) && !RERANKS.test(name)) ?? "";
  return models.find((name) => !EMBEDS.test(name) && !RERANKS.test(name)) ?? "";
}

/** "Ollama on this machine: 3 models". */
export function serverWords({ name, models }: DetectedServer): string {
  return `${name} on this machine: ${count(models.length, "model")}`;
}

/** Whether the section takes an endpoint that a found server could fill. */
export function takesEndpoint({ id, fields }: SettingSection): boolean {
  return fields.some(({ name }) => name === `${id}.base_url`);
}
