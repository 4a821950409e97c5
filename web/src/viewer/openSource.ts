import { useCallback } from "react";
import { useSearchParams } from "wouter";

export type OpenSource = {
  /** The passage whose source is open. */
  open: string | null;
  /** Of no passage: closes what is open. */
  onOpen: (chunkId: string | null) => void;
  onClose: () => void;
};

/** Which source is open stands in the address, so that a reload opens it again. */
export function useOpenSource(): OpenSource {
  const [params, setParams] = useSearchParams();
  const onOpen = useCallback(
    (chunkId: string | null) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (chunkId) next.set("source", chunkId);
          else next.delete("source");
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  const onClose = useCallback(() => onOpen(null), [onOpen]);
  return { open: params.get("source") || null, onOpen, onClose };
}
