import { useEffect } from "react";

/** Names the browser tab after what the page shows. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    document.title = title ? `${title} · Ibid` : "Ibid";
  }, [title]);
}
