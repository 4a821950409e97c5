import { useState } from "react";

/** What is being written in a thread, kept over a reload. */
export function useDraft(threadId: string | null): [draft: string, setDraft: (text: string) => void] {
  const storedAs = `ibid-draft-${threadId ?? "new"}`;
  const [draft, setDraft] = useState(() => sessionStorage.getItem(storedAs) ?? "");
  const keep = (text: string) => {
    setDraft(text);
    if (text) sessionStorage.setItem(storedAs, text);
    else sessionStorage.removeItem(storedAs);
  };
  return [draft, keep];
}
