import { sentence } from "@/api/client";
import type { KeptSearch } from "@/api/types";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Spinner } from "@/ui/Spinner";
import { Explain } from "./Explain";
import { useKeptSearch, useReplay } from "./queries";
import { Verdict } from "./Verdict";
import styles from "./XRay.module.css";

/** The search of an answer, candidate by candidate, and whether it would come out the same today. */
export default function XRay({ searchId, onClose }: { searchId: string; onClose: () => void }) {
  const { data, error } = useKeptSearch(searchId);
  return (
    <Dialog title="X-ray of the search" isOpen wide onClose={onClose}>
      {error && <p role="alert">{sentence(error)}</p>}
      {!data && !error && <Spinner label="Loading the search" />}
      {data && <Kept search={data} />}
    </Dialog>
  );
}

function Kept({ search }: { search: KeptSearch }) {
  return (
    <div className={styles.kept}>
      <p className={styles.query}>{search.query}</p>
      <Verdict answer={search} />
      <Replay search={search} />
      <Explain answer={search} candidates={search.candidates} considered={search.considered} />
    </div>
  );
}

function Replay({ search }: { search: KeptSearch }) {
  const replay = useReplay(search.id);
  const { data } = replay;
  return (
    <div className={styles.replay}>
      <Button small icon="retry" busy={replay.isPending} onClick={() => replay.mutate()}>
        Search the same now
      </Button>
      <span role="status">
        {data &&
          (data.same
            ? "It would find the same passages today."
            : `Today ${passages(data.added.length)} more, ${passages(data.missing.length)} no longer.`)}
      </span>
    </div>
  );
}

function passages(count: number): string {
  return count === 1 ? "1 passage" : `${count} passages`;
}
