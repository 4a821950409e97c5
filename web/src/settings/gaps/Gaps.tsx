import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { Gap } from "@/api/types";
import { Spinner } from "@/ui/Spinner";
import sectionStyles from "../Section.module.css";
import styles from "./Gaps.module.css";
import { countWords, timesWords } from "./words";

const SHOWN = 3;

/** The questions without an answer that were asked most; the whole list is a page of its own. */
export function Gaps({ title, help }: { title: string; help: string }) {
  const gaps = useQuery({
    queryKey: keys.wanted("open"),
    queryFn: async ({ signal }) =>
      (await api.get<{ items: Gap[] }>("/api/gaps?state=open", { signal })).items,
    staleTime: 0,
  });
  return (
    <section id="wanted" className={sectionStyles.section} aria-labelledby="wanted-title">
      <header className={sectionStyles.header}>
        <h2 id="wanted-title" className={sectionStyles.title}>
          {title}
        </h2>
        <p className={sectionStyles.help}>{help}</p>
      </header>
      {gaps.isPending && <Spinner label="Loading what is wanted" />}
      {gaps.error && <p role="alert">{sentence(gaps.error)}</p>}
      {gaps.data && (
        <div>
          <p className={styles.count}>{countWords(gaps.data.length)}</p>
          <ul className={styles.list}>
            {gaps.data.slice(0, SHOWN).map((gap) => (
              <li key={gap.id} className={styles.gap}>
                <span className={styles.question} dir="auto">
                  {gap.question}
                </span>
                <span className={styles.times}>{timesWords(gap)}</span>
              </li>
            ))}
          </ul>
          <Link href="/wanted" className={styles.all}>
            See the list, mark what is done or set it aside
          </Link>
        </div>
      )}
    </section>
  );
}
