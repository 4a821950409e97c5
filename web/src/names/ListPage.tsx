import { useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { Link, useSearchParams } from "wouter";
import { useTitle } from "@/app/title";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { Decisions } from "./Decisions";
import { Loaded } from "./Loaded";
import { Lookalikes } from "./Lookalikes";
import styles from "./NamesPage.module.css";
import { useMayDecide, useNames } from "./queries";
import { alsoWords, kindWords, supportWords } from "./words";

/** Every name that one's documents hold, pairs that may be one, and what people decided about names. */
export function ListPage() {
  const [params, setParams] = useSearchParams();
  const [q, setQ] = useState(params.get("q") ?? "");
  useTitle("Names");
  const mayDecide = useMayDecide();
  const tab = params.get("tab") ?? "all";
  const set = (name: string, value: string) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  const search = (value: string) => {
    setQ(value);
    set("q", value.trim());
  };
  return (
    <>
      <PageHeader
        title="Names"
        search={{ value: q, placeholder: "How it begins", label: "Find a name", onChange: search }}
      />
      <div className={styles.body}>
        <p className={styles.intro}>
          People, organisations, places and terms in the documents that you see. Passages that share a name
          are found together.
        </p>
        <Tabs
          selectedKey={tab}
          onSelectionChange={(key) => set("tab", key === "all" ? "" : String(key))}
          className={styles.tabsFrame}
        >
          <TabList className={styles.tabs} aria-label="Names">
            <Tab id="all" className={styles.tab}>
              All names
            </Tab>
            {mayDecide && (
              <Tab id="alike" className={styles.tab}>
                Perhaps the same
              </Tab>
            )}
            <Tab id="decided" className={styles.tab}>
              Decisions
            </Tab>
          </TabList>
          <TabPanel id="all" className={styles.panel}>
            <Names q={q.trim()} />
          </TabPanel>
          {mayDecide && (
            <TabPanel id="alike" className={styles.panel}>
              <Lookalikes />
            </TabPanel>
          )}
          <TabPanel id="decided" className={styles.panel}>
            <Decisions />
          </TabPanel>
        </Tabs>
      </div>
    </>
  );
}

function Names({ q }: { q: string }) {
  const names = useNames(q);
  return (
    <Loaded query={names} label="Loading the names">
      {(items) =>
        items.length === 0 ? (
          <Nothing q={q} />
        ) : (
          <ul className={styles.list} aria-busy={names.isPlaceholderData} aria-label="Names">
            {items.map((name) => (
              <li key={name.id} className={styles.row}>
                <Link href={`/names/${name.id}`} className={styles.name} dir="auto">
                  {name.name}
                </Link>
                <span className={styles.also} dir="auto">
                  {[kindWords(name.kind), name.sense, alsoWords(name.aliases)].filter(Boolean).join(" · ")}
                </span>
                <span className={styles.support}>{supportWords(name)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function Nothing({ q }: { q: string }) {
  if (q !== "") {
    return (
      <EmptyState title="No such name">
        None of your documents names anything that begins with “{q}”.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No names yet" action={<Link href="/documents">Go to the documents</Link>}>
      Names are picked out of your documents while they are read. Add one, and they appear here.
    </EmptyState>
  );
}
