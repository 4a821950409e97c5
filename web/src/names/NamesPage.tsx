import { lazy, Suspense, useCallback } from "react";
import { RouterProvider } from "react-aria-components";
import { Route, Switch, useLocation, useSearchParams } from "wouter";
import { Waiting } from "@/app/Waiting";
import { ListPage } from "./ListPage";
import { NamePage } from "./NamePage";
import styles from "./NamesPage.module.css";

const SourcePane = lazy(() => import("@/viewer/SourcePane"));

/** `/names`: what the documents name; `/names/:id`: one name. A passage opens its source beside it. */
export default function NamesPage() {
  const [, navigate] = useLocation();
  const [open, onOpen] = useOpenSource();
  const close = useCallback(() => onOpen(null), [onOpen]);
  return (
    <RouterProvider navigate={navigate}>
      <div className={styles.split} data-pane={open !== null}>
        <div className={styles.page}>
          <Switch>
            <Route path="/names/:id">
              {({ id }) => <NamePage key={id} id={id} open={open} onOpen={onOpen} />}
            </Route>
            <Route>
              <ListPage />
            </Route>
          </Switch>
        </div>
        {open && (
          <div className={styles.pane}>
            <Suspense fallback={<Waiting />}>
              <SourcePane chunkId={open} onClose={close} />
            </Suspense>
          </div>
        )}
      </div>
    </RouterProvider>
  );
}

/** Which source is open stands in the address. */
function useOpenSource(): [string | null, (chunkId: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const onOpen = useCallback(
    (chunkId: string | null) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (chunkId) next.set("source", chunkId);
          else next.delete("source");
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return [params.get("source"), onOpen];
}
