import { RouterProvider } from "react-aria-components";
import { Route, Switch, useLocation } from "wouter";
import { DetailPage } from "./detail/DetailPage";
import { ListPage } from "./ListPage";

/** `/documents`: the list; `/documents/:id`: one document. */
export default function DocumentsPage() {
  const [, navigate] = useLocation();
  return (
    <RouterProvider navigate={navigate}>
      <Switch>
        <Route path="/documents/:id">{({ id }) => <DetailPage key={id} id={id} />}</Route>
        <Route>
          <ListPage />
        </Route>
      </Switch>
    </RouterProvider>
  );
}
