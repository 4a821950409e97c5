import { useCallback } from "react";
import { useSearchParams } from "wouter";
import { useTitle } from "@/app/title";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { LoadError } from "@/ui/LoadError";
import { Spinner } from "@/ui/Spinner";
import { useOpenSource } from "@/viewer/openSource";
import { SourceSplitPage } from "@/viewer/SourceSplit";
import { type Asked, filterCount, readAsked, withoutFilters, writeAsked } from "./asked";
import { Explain } from "./Explain";
import { Golden } from "./Golden";
import { useSearch } from "./queries";
import { Results } from "./Results";
import { SearchForm } from "./SearchForm";
import styles from "./SearchPage.module.css";
import { Verdict } from "./Verdict";
import { Why } from "./Why";

/** Search without a chat: passages, why these, and why not another document. */
export default function SearchPage() {
  const { asked, ask } = useAsked();
  const source = useOpenSource();
  const search = useSearch(asked);
  useTitle(asked.query ? `${asked.query} · Search` : "Search");
  return (
    <SourceSplitPage source={source}>
      <header className={styles.header}>
        <h1 className={styles.title}>Search</h1>
      </header>
      <div className={styles.body}>
        <SearchForm key={JSON.stringify(asked)} asked={asked} onAsk={ask} isBusy={search.isFetching} />
        {asked.query === "" ? (
          <p className={styles.intro}>
            Looks through your documents as an answer would, and shows which passages it would be written
            from.
          </p>
        ) : (
          <Found asked={asked} search={search} open={source.open} onOpen={source.onOpen} onAsk={ask} />
        )}
        <Golden asked={asked} found={search.data?.results ?? []} />
      </div>
    </SourceSplitPage>
  );
}

type FoundProps = {
  asked: Asked;
  search: ReturnType<typeof useSearch>;
  open: string | null;
  onOpen: (chunkId: string) => void;
  onAsk: (asked: Asked) => void;
};

function Found({ asked, search, open, onOpen, onAsk }: FoundProps) {
  const { data, error } = search;
  if (error) return <LoadError title="The search did not work" query={search} />;
  if (!data) return <Spinner label="Searching" />;
  return (
    <div className={styles.found} aria-busy={search.isPlaceholderData}>
      <Verdict answer={data} />
      {data.results.length > 0 ? (
        <Results hits={data.results} open={open} onOpen={onOpen} />
      ) : (
        <EmptyState
          title="Nothing that an answer could rest on"
          action={
            filterCount(asked) > 0 && (
              <Button onClick={() => onAsk(withoutFilters(asked))}>Search everywhere</Button>
            )
          }
        >
          Try words that the document uses, or a number, code or name that it holds.
        </EmptyState>
      )}
      <Why asked={asked} onOpen={onOpen} />
      <details className={styles.explain}>
        <summary>How this order came about</summary>
        <Explain answer={data} candidates={data.trace ?? []} onOpen={onOpen} />
      </details>
    </div>
  );
}

/** What is asked stands in the address. */
function useAsked() {
  const [params, setParams] = useSearchParams();
  const ask = useCallback((asked: Asked) => setParams(writeAsked(asked)), [setParams]);
  return { asked: readAsked(params), ask };
}
