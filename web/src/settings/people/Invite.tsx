import { useState } from "react";
import { sentence } from "@/api/client";
import type { Invitation, Role } from "@/api/types";
import { Button } from "@/ui/Button";
import { Select } from "@/ui/Select";
import { TextField } from "@/ui/TextField";
import { useInvite } from "../queries";
import { OneTimeLink } from "./OneTimeLink";
import styles from "./People.module.css";
import { rolesToGive, roleWords } from "./roles";

/** Makes an invitation. Inside the settings form, so it submits by itself and never with it. */
export function Invite({ mine }: { mine: Role }) {
  const invite = useInvite();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const [made, setMade] = useState<Invitation | null>(null);
  const isAddress = /^\S+@\S+$/.test(email.trim());
  const send = () => {
    if (!isAddress || invite.isPending) return;
    invite.mutate(
      { email: email.trim(), role },
      {
        onSuccess: (invitation) => {
          setMade(invitation);
          setEmail("");
        },
      },
    );
  };
  return (
    <fieldset className={styles.invite}>
      <legend className={styles.legend}>Invite somebody</legend>
      <div className={styles.inviteRow}>
        <TextField
          label="E-mail"
          type="email"
          autoComplete="off"
          className={styles.inviteEmail}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            send();
          }}
        />
        <Select
          label="Role"
          options={rolesToGive(mine)}
          value={role}
          onChange={(next) => setRole(next as Role)}
        />
        <Button disabled={!isAddress} busy={invite.isPending} onClick={send} className={styles.inviteButton}>
          Make the link
        </Button>
      </div>
      {invite.error ? (
        <p role="alert" className={styles.error}>
          {sentence(invite.error)}
        </p>
      ) : (
        <p className={styles.note}>
          {roleWords(role).help} Ibid sends no mail: you hand over the link yourself.
        </p>
      )}
      {made?.link && (
        <OneTimeLink
          email={made.email ?? "them"}
          link={made.link}
          expiresAt={made.expires_at}
          onClose={() => setMade(null)}
        />
      )}
    </fieldset>
  );
}
