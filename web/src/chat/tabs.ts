/** Tabs of one browser tell each other which thread has changed, so that all of them follow the same run. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keys } from "@/api/keys";

const SHARED_AS = "ibid-threads";
let channel: BroadcastChannel | null = null;

function opened(): BroadcastChannel {
  channel ??= new BroadcastChannel(SHARED_AS);
  return channel;
}

export function tellTabs(threadId: string): void {
  opened().postMessage(threadId);
}

/** Reads again what another tab has changed. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const hear = ({ data }: MessageEvent<string>) => {
      void client.invalidateQueries({ queryKey: keys.thread(data) });
      void client.invalidateQueries({ queryKey: keys.threads() });
    };
    const from = opened();
    from.addEventListener("message", hear);
    return () => from.removeEventListener("message", hear);
  }, [client]);
}
