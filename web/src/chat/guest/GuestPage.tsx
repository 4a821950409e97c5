import { useQuery } from "@tanstack/react-query";
import { Link, Redirect, useLocation, useRoute } from "wouter";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import { useMe } from "@/api/queries";
import type { Setup } from "@/api/types";
import { Boundary } from "@/app/Boundary";
import { COMPOSER_ID, useHotkeys } from "@/app/hotkeys";
import { Waiting } from "@/app/Waiting";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import { showToast, ToastRegion } from "@/ui/Toast";
import { ChatPage } from "../ChatPage";
import styles from "./GuestPage.module.css";

/** The chat of somebody without an account, where the workspace lets guests in: one thread in sight, none kept. */
export default function GuestPage() {
  const [, navigate] = useLocation();
  const [, params] = useRoute("/guest/:id");
  const me = useMe();
  const setup = useQuery({ queryKey: keys.setup, queryFn: () => api.get<Setup>("/api/setup") });
  useHotkeys({
    palette: () => undefined,
    help: () => undefined,
    composer: () => document.getElementById(COMPOSER_ID)?.focus(),
  });
  if (me.isPending || setup.isPending) return <Waiting />;
  if (me.data) return <Redirect to="/" replace />;
  if (!setup.data?.guests) return <Redirect to="/sign-in" replace />;
  const threadId = params?.id ?? null;
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Link href="/guest" className={styles.brand}>
          <span className={styles.mark} aria-hidden="true" />
          Ibid
        </Link>
        <p className={styles.words}>
          You ask as a guest. Nothing is stored: when you leave, or after half an hour of silence, this
          conversation is gone.
        </p>
        <span className={styles.actions}>
          <IconButton icon="ask" label="New question" onClick={() => navigate("/guest")} />
          <Button small tone="quiet" icon="signout" onClick={() => void leave()}>
            Leave
          </Button>
        </span>
      </header>
      <main className={styles.main}>
        <Boundary key={threadId}>
          <ChatPage key={threadId ?? "new"} me={null} isAdmin={false} threadId={threadId} />
        </Boundary>
      </main>
      <ToastRegion />
    </div>
  );
}

/** Ends the guest's time at the server too; a fresh page remembers nothing of whoever was here. */
async function leave(): Promise<void> {
  try {
    await api.delete("/api/guest");
    sessionStorage.clear();
    window.location.assign("/sign-in");
  } catch (error) {
    showToast({ message: sentence(error), tone: "failed" });
  }
}
