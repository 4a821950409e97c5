import { sentence } from "@/api/client";
import { useMe } from "@/api/queries";
import type { Me } from "@/api/types";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
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
  const { data, error, refetch } = useSettings();
  if (error && !data) {
    return (
      <EmptyState
        title="The settings did not load"
        action={
          <Button icon="retry" onClick={() => refetch()}>
            Try again
          </Button>
        }
      >
        {sentence(error)}
      </EmptyState>
    );
  }
  if (!data) {
    return (
      <p className={styles.wait}>
        <Spinner size={24} label="Loading the settings" />
      </p>
    );
  }
  return <SettingsForm settings={data} me={me} />;
}
