import { useEffect, useState } from "react";
import { acquire, type PDFDocumentProxy } from "./pdf";

type State = { pdf: PDFDocumentProxy | null; error: unknown };

/** An open PDF for as long as the component shows it; `retry` reads it again after a failure. */
export function usePdf(documentId: string, version: number): State & { retry: () => void } {
  const [state, setState] = useState<State>({ pdf: null, error: null });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the file again
  useEffect(() => {
    let isCurrent = true;
    setState({ pdf: null, error: null });
    const [document, release] = acquire(documentId, version);
    document.then(
      (pdf) => isCurrent && setState({ pdf, error: null }),
      (error: unknown) => isCurrent && setState({ pdf: null, error }),
    );
    return () => {
      isCurrent = false;
      release();
    };
  }, [documentId, version, attempt]);

  return { ...state, retry: () => setAttempt((count) => count + 1) };
}
