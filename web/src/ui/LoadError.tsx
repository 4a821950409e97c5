import { sentence } from "@/api/client";
import { Button } from "./Button";
import { EmptyState } from "./EmptyState";
import styles from "./LoadError.module.css";

type Query = { error: unknown; refetch: () => unknown };

type LoadErrorProps = {
  title: string;
  query: Query;
  /** It is all there is on the page. */
  isPage?: boolean;
};

/** What stands where something did not load: why, and a button that asks for it again. */
export function LoadError({ title, query, isPage }: LoadErrorProps) {
  return (
    <EmptyState title={title} isPage={isPage} action={<Again query={query} />}>
      {sentence(query.error)}
    </EmptyState>
  );
}

/** The same for a part of a page, in one line. */
export function LoadErrorLine({ query }: { query: Query }) {
  return (
    <p role="alert" className={styles.line}>
      {sentence(query.error)} <Again small query={query} />
    </p>
  );
}

function Again({ query, small }: { query: Query; small?: boolean }) {
  return (
    <Button icon="retry" small={small} onClick={() => query.refetch()}>
      Try again
    </Button>
  );
}
