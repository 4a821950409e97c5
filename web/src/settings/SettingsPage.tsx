import { Link } from "wouter";
import { sentence } from "@/api/client";
import { useMe } from "@/api/queries";
import type { Me } from "@/api/types";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { Spinner } from "@/ui/Spinner";
import { useSettings } from "./queries";
import { SettingsForm } from "./SettingsForm";
import styles from "./SettingsPage.module.css";

/** `/settings`: models, retrieval and people, for administrators. */
export default function SettingsPage() {
  const me = useMe();
  if (!me.data) return null;
  const isAdmin = me.data.user.role === "owner" || me.data.user.role === "admin";
  return isAdmin ? <AdminPage me={me.data} /> : <NotForYou workspace={me.data.workspace.name} />;
}

function NotForYou({ workspace }: { workspace: string }) {
  return (
    <EmptyState title="Settings are for administrators" action={<Link href="/">Back to the questions</Link>}>
      They connect models and invite people for all of {workspace}. If something there should change, ask one
      of its administrators.
    </EmptyState>
  );
}

function AdminPage({ me }: { me: Me }) {
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
