import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { Session, Setup } from "@/api/types";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/TextField";
import styles from "./AuthForm.module.css";
import { AuthFrame } from "./AuthFrame";

export default function SignInPage() {
  const setup = useQuery({
    queryKey: keys.setup,
    queryFn: () => api.get<Setup>("/api/setup"),
  });
  if (setup.data?.needs_owner) {
    return (
      <AuthFrame title="Nobody owns this yet">
        <p className={styles.words}>
          Ibid printed a one-time owner link where it was started. Open that link in this browser to become
          its owner.
        </p>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Sign in">
      <SignInForm />
      {setup.data?.guests && <AsGuest />}
    </AuthFrame>
  );
}

function SignInForm() {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(null);
    try {
      await api.post<Session>("/api/session", { email: form.get("email"), password: form.get("password") });
      client.clear();
      navigate(insideOnly(params.get("next")), { replace: true });
    } catch (cause) {
      setError(sentence(cause));
      setBusy(false);
    }
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <TextField label="E-mail" name="email" type="email" autoComplete="username" required autoFocus />
      <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
      <Button type="submit" tone="primary" busy={isBusy}>
        Sign in
      </Button>
      <p className={styles.words}>No account yet? Ask the person who runs this Ibid for an invitation.</p>
    </form>
  );
}

/** Offered where the workspace lets guests in. */
function AsGuest() {
  const [, navigate] = useLocation();
  return (
    <section className={styles.guest} aria-label="Without an account">
      <p className={styles.words}>
        Or look around: a guest asks the public documents, and nothing of it is kept.
      </p>
      <Button onClick={() => navigate("/guest")}>Ask as a guest</Button>
    </section>
  );
}

/** Only paths of this site: `//elsewhere` and full addresses lead home instead. */
export function insideOnly(next: string | null): string {
  return next && /^\/(?![/\\])/.test(next) ? next : "/";
}
