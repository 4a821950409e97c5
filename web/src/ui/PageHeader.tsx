import type { KeyboardEvent, ReactNode } from "react";
import { Icon } from "./Icon";
import styles from "./PageHeader.module.css";

type PageHeaderProps = {
  title: string;
  search: { value: string; placeholder: string; label: string; onChange: (value: string) => void };
  children?: ReactNode;
};

/** A page's title, its search box, and beside it what one can do there. Enter in the box submits no form. */
export function PageHeader({ title, search, children }: PageHeaderProps) {
  const keepForm = (event: KeyboardEvent) => event.key === "Enter" && event.preventDefault();
  return (
    <header className={styles.header}>
      <h1 className={styles.title}>{title}</h1>
      <search className={styles.search}>
        <Icon name="search" size={16} />
        <input
          type="search"
          className={styles.input}
          value={search.value}
          placeholder={search.placeholder}
          aria-label={search.label}
          onChange={(event) => search.onChange(event.target.value)}
          onKeyDown={keepForm}
        />
      </search>
      {children && <div className={styles.actions}>{children}</div>}
    </header>
  );
}
