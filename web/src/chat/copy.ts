import { useState } from "react";
import { showToast } from "@/ui/Toast";

const SHOWN_MS = 1600;

/** Copies text and says for a moment that it did. */
export function useCopy(): [copied: boolean, copy: (text: string) => void] {
  const [copied, setCopied] = useState(false);
  const copy = (text: string) => {
    write(text).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), SHOWN_MS);
      },
      () =>
        showToast({
          message: "This browser does not let the page copy. Select the text and copy it yourself.",
        }),
    );
  };
  return [copied, copy];
}

async function write(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error("no clipboard on a page without https");
  await navigator.clipboard.writeText(text);
}
