import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { sentence } from "@/api/client";
import { createQueryClient, useMe } from "@/api/queries";
import type { Me } from "@/api/types";
import { ChatPage } from "@/chat/ChatPage";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { Boundary } from "./Boundary";
import { isAdmin } from "./Rail";
import { Shell } from "./Shell";
import { Waiting } from "./Waiting";

const SignInPage = lazy(() => import("@/auth/SignInPage"));
const WelcomePage = lazy(() => import("@/auth/WelcomePage"));
const GuestPage = lazy(() => import("@/chat/guest/GuestPage"));
const DocumentsPage = lazy(() => import("@/documents/DocumentsPage"));
const SearchPage = lazy(() => import("@/search/SearchPage"));
const NamesPage = lazy(() => import("@/names/NamesPage"));
const WantedPage = lazy(() => import("@/chat/wanted/WantedPage"));
const SettingsPage = lazy(() => import("@/settings/SettingsPage"));

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/sign-in" component={SignInPage} />
          <Route path="/welcome" component={WelcomePage} />
          <Route path="/guest/*?" component={GuestPage} />
          <Route>
            <SignedIn />
          </Route>
        </Switch>
      </Suspense>
    </QueryClientProvider>
  );
}

function SignedIn() {
  const me = useMe();
  const [location] = useLocation();
  if (me.isPending) return <Waiting />;
  if (me.isError) {
    return (
      <EmptyState
        isPage
        title="Ibid cannot be reached"
        action={<Button onClick={() => me.refetch()}>Try again</Button>}
      >
        {sentence(me.error)}
      </EmptyState>
    );
  }
  if (me.data === null) return <Redirect to={`/sign-in?next=${encodeURIComponent(location)}`} replace />;
  return <Pages me={me.data} />;
}

function Pages({ me }: { me: Me }) {
  const admin = isAdmin(me);
  const [location] = useLocation();
  return (
    <Shell me={me}>
      <Boundary key={location.split("/")[1]}>
        <Suspense fallback={<Waiting />}>
          <Switch>
            <Route path="/documents/*?" component={DocumentsPage} />
            <Route path="/search" component={SearchPage} />
            <Route path="/names/*?" component={NamesPage} />
            <Route path="/wanted">{admin ? <WantedPage /> : <NotYours />}</Route>
            <Route path="/settings/*?">{admin ? <SettingsPage /> : <NotYours />}</Route>
            <Route path="/t/:id">
              {({ id }) => <ChatPage key={id} me={me} isAdmin={admin} threadId={id} />}
            </Route>
            <Route path="/">
              <ChatPage key="new" me={me} isAdmin={admin} threadId={null} />
            </Route>
            <Route>
              <EmptyState isPage title="There is no such page">
                The address may be mistyped. The side bar leads everywhere.
              </EmptyState>
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
    </Shell>
  );
}

function NotYours() {
  return (
    <EmptyState isPage title="Settings belong to administrators">
      Ask one of them to change what you need, or to make you one.
    </EmptyState>
  );
}
