import { useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import { useThreads } from "@/api/queries";
import type { Thread } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { LazyMenu } from "@/ui/LazyMenu";
import { showToast } from "@/ui/Toast";
import { deleteThread, useHiddenThreads } from "./deletions";
import { exportThread } from "./exporting";
import styles from "./ThreadList.module.css";
import { byDay } from "./threads";

const FOCUS_AFTER_MS = 60; // the menu first gives the focus back to where it was opened

/** Earlier questions by day, with a search. */
export function ThreadList({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const threads = useThreads(useDeferredValue(search.trim()));
  const hidden = useHiddenThreads();
  const shown = (threads.data ?? []).filter((thread) => !hidden.has(thread.id));
  return (
    <nav className={styles.threads} aria-label="Earlier questions">
      <div className={styles.search}>
        <Icon name="search" size={15} />
        <input
          type="search"
          className={styles.field}
          aria-label="Search earlier questions"
          placeholder="Search earlier questions"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
        />
      </div>
      <div className={styles.list}>
        {byDay(shown).map((day) => (
          <section key={day.label}>
            <h2 className={styles.day}>{day.label}</h2>
            <ul>
              {day.threads.map((thread) => (
                <Row key={thread.id} thread={thread} />
              ))}
            </ul>
          </section>
        ))}
        {threads.data && shown.length === 0 && (
          <p className={styles.nothing}>
            {search ? "No question and no answer says that." : "Your questions will be kept here."}
          </p>
        )}
        {threads.isError && <p className={styles.nothing}>{sentence(threads.error)}</p>}
      </div>
    </nav>
  );
}

function Row({ thread }: { thread: Thread }) {
  const client = useQueryClient();
  const [location, navigate] = useLocation();
  const [isRenaming, setRenaming] = useState(false);
  const isCurrent = location === `/t/${thread.id}`;
  const title = thread.title || "Untitled";
  if (isRenaming) return <Rename thread={thread} onDone={() => setRenaming(false)} />;
  const remove = () => {
    deleteThread(client, thread);
    if (isCurrent) navigate("/");
  };
  return (
    <li className={styles.row} data-current={isCurrent}>
      <Link
        href={`/t/${thread.id}`}
        className={styles.link}
        aria-current={isCurrent ? "page" : undefined}
        title={title}
      >
        {title}
      </Link>
      <span className={styles.menu}>
        <LazyMenu
          label={`Actions for ${title}`}
          items={[
            {
              id: "export",
              label: "Export as Markdown",
              icon: "download",
              onAction: () => exportThread(thread),
            },
            { id: "rename", label: "Rename", icon: "pencil", onAction: () => setRenaming(true) },
            { id: "delete", label: "Delete", icon: "trash", danger: true, onAction: remove },
          ]}
        />
      </span>
    </li>
  );
}

function Rename({ thread, onDone }: { thread: Thread; onDone: () => void }) {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => input.current?.select(), FOCUS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const save = async (title: string) => {
    onDone();
    if (!title || title === thread.title) return;
    try {
      await api.patch(`/api/threads/${thread.id}`, { title });
    } catch (error) {
      showToast({ message: sentence(error), tone: "failed" });
    }
    await client.invalidateQueries({ queryKey: keys.threads() });
  };
  return (
    <li className={styles.row}>
      <input
        className={styles.rename}
        aria-label="New name"
        defaultValue={thread.title}
        ref={input}
        onBlur={(event) => void save(event.target.value.trim())}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") {
            event.stopPropagation();
            event.currentTarget.value = thread.title;
            event.currentTarget.blur();
          }
        }}
      />
    </li>
  );
}
