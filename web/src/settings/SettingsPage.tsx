import { useMe } from "@/api/queries";
import type { Me } from "@/api/types";
import { LoadError } from "@/ui/LoadError";
import { Spinner } from "@/ui/Spinner";
import { useSettings } from "./queries";
import { SettingsForm } from "./SettingsForm";
import styles from "./SettingsPage.module.css";

/** `/settings`: models, retrieval and people. The router shows it to administrators only. */
export default function SettingsPage() {
  const me = useMe();
  return me.data ? <Loader me={me.data} /> : null;
}

function Loader({ me }: { me: Me }) {
  const settings = useSettings();
  const { data, error } = settings;
  if (error && !data) return <LoadError title="The settings did not load" query={settings} />;
  if (!data) {
    return (
      <p className={styles.wait}>
        <Spinner size={24} label="Loading the settings" />
      </p>
    );
  }
  return <SettingsForm settings={data} me={me} />;
}
