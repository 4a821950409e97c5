import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Me } from "@/api/types";
import { ThreadList } from "@/chat/ThreadList";
import { classes } from "@/ui/classes";
import { Icon, type IconName } from "@/ui/Icon";
import { IconButton } from "@/ui/IconButton";
import { Account } from "./Account";
import { MOD } from "./hotkeys";
import styles from "./Rail.module.css";

type RailProps = { me: Me; isOpen: boolean; onClose: () => void; onPalette: () => void; onKeys: () => void };

export function isAdmin(me: Me): boolean {
  return me.user.role === "owner" || me.user.role === "admin";
}

export function Rail({ me, isOpen, onClose, onPalette, onKeys }: RailProps) {
  const [location] = useLocation();
  const [search, setSearch] = useState("");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the drawer from anything inside it
    <div
      className={styles.rail}
      data-open={isOpen}
      inert={!isOpen}
      onKeyDown={(event) => event.key === "Escape" && matchMedia("(max-width: 820px)").matches && onClose()}
    >
      <header className={styles.header}>
        <Link href="/" className={styles.brand}>
          <span className={styles.mark} aria-hidden="true" />
          Ibid
        </Link>
        <span className={styles.tools}>
          <IconButton icon="search" label="Go anywhere" keys={`${MOD} K`} onClick={onPalette} />
          <IconButton icon="sidebar" label="Close the side bar" onClick={onClose} />
        </span>
      </header>
      <nav className={styles.nav} aria-label="Pages">
        <RailLink href="/" icon="ask" current={location === "/"}>
          New question
        </RailLink>
        <RailLink href="/documents" icon="documents" current={location.startsWith("/documents")}>
          Documents
        </RailLink>
        <RailLink href="/search" icon="search" current={location.startsWith("/search")}>
          Search
        </RailLink>
        <RailLink href="/names" icon="people" current={location.startsWith("/names")}>
          Names
        </RailLink>
        {isAdmin(me) && (
          <RailLink href="/settings" icon="settings" current={location.startsWith("/settings")}>
            Settings
          </RailLink>
        )}
      </nav>
      <ThreadList search={search} onSearch={setSearch} />
      <Account me={me} onKeys={onKeys} />
    </div>
  );
}

type RailLinkProps = { href: string; icon: IconName; current: boolean; children: ReactNode };

function RailLink({ href, icon, current, children }: RailLinkProps) {
  return (
    <Link
      href={href}
      className={classes(styles.link, current && styles.current)}
      aria-current={current ? "page" : undefined}
    >
      <Icon name={icon} />
      {children}
    </Link>
  );
}
