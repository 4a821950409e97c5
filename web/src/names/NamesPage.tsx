import { RouterProvider } from "react-aria-components";
import { Route, Switch, useLocation } from "wouter";
import { useOpenSource } from "@/viewer/openSource";
import { SourceSplitPage } from "@/viewer/SourceSplit";
import { ListPage } from "./ListPage";
import { NamePage } from "./NamePage";

/** `/names`: what the documents name; `/names/:id`: one name. A passage opens its source beside it. */
export default function NamesPage() {
  const [, navigate] = useLocation();
  const source = useOpenSource();
  return (
    <RouterProvider navigate={navigate}>
      <SourceSplitPage source={source}>
        <Switch>
          <Route path="/names/:id">
            {({ id }) => <NamePage key={id} id={id} open={source.open} onOpen={source.onOpen} />}
          </Route>
          <Route>
            <ListPage />
          </Route>
        </Switch>
      </SourceSplitPage>
    </RouterProvider>
  );
}
