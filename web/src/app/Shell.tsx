import { useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { followEvents } from "@/api/events";
import type { Me } from "@/api/types";
import { IconButton } from "@/ui/IconButton";
import { ToastRegion } from "@/ui/Toast";
import { COMPOSER_ID, useHotkeys } from "./hotkeys";
import { Rail } from "./Rail";
import styles from "./Shell.module.css";

const Palette = lazy(() => import("./Palette"));
const KeysDialog = lazy(() => import("./KeysDialog"));

type Overlay = "palette" | "keys" | null;

/** The frame of every signed-in page: the rail, the page, and what opens over them. */
export function Shell({ me, children }: { me: Me; children: ReactNode }) {
  const client = useQueryClient();
  const [location, navigate] = useLocation();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [railOpen, setRailOpen] = useRail(location);
  useEffect(() => followEvents(client), [client]);

  const toComposer = () => {
    if (location !== "/" && !location.startsWith("/t/")) navigate("/");
    requestAnimationFrame(() => document.getElementById(COMPOSER_ID)?.focus());
  };
  useHotkeys({
    palette: () => setOverlay("palette"),
    help: () => setOverlay("keys"),
    composer: toComposer,
  });

  return (
    <div className={styles.shell} data-rail={railOpen ? "open" : "closed"}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <Rail
        me={me}
        isOpen={railOpen}
        onClose={() => setRailOpen(false)}
        onPalette={() => setOverlay("palette")}
        onKeys={() => setOverlay("keys")}
      />
      <button
        type="button"
        className={styles.scrim}
        tabIndex={-1}
        aria-label="Close the side bar"
        onClick={() => setRailOpen(false)}
      />
      <div className={styles.page}>
        <header className={styles.bar}>
          <IconButton icon="sidebar" label="Open the side bar" onClick={() => setRailOpen(true)} />
          <Link href="/" className={styles.brand}>
            Ibid
          </Link>
          <IconButton icon="ask" label="New question" onClick={() => navigate("/")} />
        </header>
        <main id="main" className={styles.main} tabIndex={-1}>
          {children}
        </main>
        <ToastRegion />
      </div>
      <Suspense>
        {overlay === "palette" && <Palette me={me} onClose={() => setOverlay(null)} />}
        {overlay === "keys" && <KeysDialog onClose={() => setOverlay(null)} />}
      </Suspense>
    </div>
  );
}

const NARROW = "(max-width: 820px)";

/** Whether the rail shows. On narrow screens it is a drawer, closed again by every move to another page. */
function useRail(location: string) {
  const [isOpen, setOpen] = useState(
    () => !matchMedia(NARROW).matches && localStorage.getItem("ibid-rail") !== "closed",
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the page changes, not when the rail does
  useEffect(() => {
    if (matchMedia(NARROW).matches) setOpen(false);
  }, [location]);
  const remember = (open: boolean) => {
    setOpen(open);
    if (!matchMedia(NARROW).matches) localStorage.setItem("ibid-rail", open ? "open" : "closed");
  };
  return [isOpen, remember] as const;
}
