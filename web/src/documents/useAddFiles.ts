import { useCallback } from "react";
import { useMe } from "@/api/queries";
import type { Limits } from "./checks";
import { useRefresh } from "./queries";
import { addFiles } from "./uploads";

// Only until the first answer of /api/me, which every page waits for; the server checks again anyway.
const NO_LIMITS: Limits = { max_upload_bytes: Number.POSITIVE_INFINITY, accepted: [] };

/** The server's limits and a way to add files to a folder under them. */
export function useAddFiles(folderId: string | null) {
  const me = useMe();
  const limits = me.data?.limits ?? NO_LIMITS;
  const refresh = useRefresh();
  const add = useCallback(
    (files: readonly File[]) => {
      if (files.length > 0) addFiles(files, folderId, limits, () => void refresh());
    },
    [folderId, limits, refresh],
  );
  return { add, limits };
}
