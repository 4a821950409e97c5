import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError, api, fieldErrors, sentence } from "@/api/client";
import type { Invited, Session } from "@/api/types";
import { Waiting } from "@/app/Waiting";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./AuthForm.module.css";
import { AuthFrame } from "./AuthFrame";

/** The token travels in the fragment, which browsers never send to a server or a log. */
function readToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
}

export default function WelcomePage() {
  const [token] = useState(readToken);
  const invited = useQuery({
    queryKey: ["invited", token],
    queryFn: () => api.post<Invited>("/api/invitations/check", { token }),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (token === "" || (invited.error instanceof ApiError && invited.error.status === 404)) return <Spent />;
  if (invited.isError) {
    return (
      <AuthFrame title="The link could not be checked">
        <p className={styles.words}>{sentence(invited.error)}</p>
        <Button onClick={() => invited.refetch()}>Try again</Button>
      </AuthFrame>
    );
  }
  if (!invited.data) return <Waiting />;
  return <Accept token={token} invited={invited.data} />;
}

function Spent() {
  return (
    <AuthFrame title="This link no longer works">
      <p className={styles.words}>
        It has been used already, has run out, or was cut short when it was copied. Ask for a new one, or{" "}
        <Link href="/sign-in">sign in</Link> if you have an account.
      </p>
    </AuthFrame>
  );
}

const SHORTEST_PASSWORD = 10;

type Words = { title: string; lead: string; action: string };

const WORDS: Record<Invited["kind"], (invited: Invited) => Words> = {
  owner: () => ({
    title: "Welcome to your Ibid",
    lead: "You are its first person and will own it. Choose how you sign in from now on.",
    action: "Begin",
  }),
  member: ({ workspace, email }) => ({
    title: `Join ${workspace}`,
    lead: `You were invited as ${email}. Choose a name and a password.`,
    action: "Join",
  }),
  reset: ({ email }) => ({
    title: "A new password",
    lead: `Choose a new password for ${email}. Wherever you are signed in now, you will be signed out.`,
    action: "Set password",
  }),
};

function Accept({ token, invited }: { token: string; invited: Invited }) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const fields = fieldErrors(error);
  const words = WORDS[invited.kind](invited);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.currentTarget));
    setBusy(true);
    setError(null);
    try {
      await api.post<Session>("/api/invitations/accept", { token, ...form });
      client.clear();
      navigate("/", { replace: true });
    } catch (cause) {
      setError(cause);
      setBusy(false);
    }
  };
  return (
    <AuthFrame title={words.title}>
      <p className={styles.words}>{words.lead}</p>
      <form className={styles.form} onSubmit={submit}>
        {error !== null && Object.keys(fields).length === 0 && (
          <p className={styles.error} role="alert">
            {sentence(error)}
          </p>
        )}
        {!invited.email && (
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            error={fields.email}
          />
        )}
        {invited.kind !== "reset" && (
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            required
            help="Shown beside documents you share."
          />
        )}
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={SHORTEST_PASSWORD}
          error={fields.password}
          required
          help={`At least ${SHORTEST_PASSWORD} characters. A few words in a row are easy to keep.`}
        />
        <Button type="submit" tone="primary" busy={isBusy}>
          {words.action}
        </Button>
      </form>
    </AuthFrame>
  );
}
