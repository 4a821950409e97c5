import type { SettingField } from "@/api/types";
import type { Draft } from "./diff";
import { useDetected, useSettings } from "./queries";

const NONE: readonly string[] = [];

/** The models that a found server offers, for the model field whose address names that server. */
export function useSuggestions(field: SettingField, draft: Draft): readonly string[] {
  const detected = useDetected();
  const settings = useSettings();
  const [section, name] = field.name.split(".");
  if (name !== "model") return NONE;
  const address = settings.data?.sections
    .flatMap(({ fields }) => fields)
    .find((one) => one.name === `${section}.base_url`);
  const url = draft[`${section}.base_url`] ?? address?.value;
  return detected.data?.find(({ base_url }) => base_url === url)?.models ?? NONE;
}
