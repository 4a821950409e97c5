import type { SettingField, SettingSection, SettingValue } from "@/api/types";
import { Button } from "@/ui/Button";
import styles from "./Detected.module.css";
import { type DetectedServer, guessModel, serverWords } from "./detected";
import { type Draft, shown } from "./diff";
import { useDetected } from "./queries";

type DetectedProps = {
  section: SettingSection;
  draft: Draft;
  onChange: (field: SettingField, value: SettingValue) => void;
};

/** Offers model servers found on this machine; a press fills the address and the model that fits best. */
export function Detected({ section, draft, onChange }: DetectedProps) {
  const { data: servers = [] } = useDetected();
  const address = section.fields.find(({ name }) => name === `${section.id}.base_url`);
  const model = section.fields.find(({ name }) => name === `${section.id}.model`);
  const offered = servers.filter(({ base_url }) => address && shown(draft, address) !== base_url);
  if (!address || offered.length === 0) return null;
  const fill = ({ base_url, models }: DetectedServer) => {
    onChange(address, base_url);
    if (model) onChange(model, guessModel(models, section.id));
  };
  return (
    <ul className={styles.list} aria-label="Found on this machine">
      {offered.map((server) => (
        <li key={server.base_url} className={styles.item}>
          <span>{serverWords(server)}</span>
          <Button small aria-label={`Use ${server.name} for ${section.title}`} onClick={() => fill(server)}>
            Use it
          </Button>
        </li>
      ))}
    </ul>
  );
}
