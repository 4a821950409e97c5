import { Button } from "@/ui/Button";
import { useInvitations, useWithdraw } from "../queries";
import styles from "./People.module.css";
import { roleWords } from "./roles";

/** Invitations that nobody has used yet. */
export function Invitations() {
  const { data = [] } = useInvitations();
  const withdraw = useWithdraw();
  if (data.length === 0) return null;
  return (
    <div>
      <h3 className={styles.legend}>Not accepted yet</h3>
      <ul className={styles.list}>
        {data.map(({ id, email, role, expires_at }) => (
          <li key={id} className={styles.row}>
            <div className={styles.who}>
              <span className={styles.name}>{email}</span>
              <span className={styles.email}>
                {roleWords(role).label}, {untilWords(expires_at, new Date())}
              </span>
            </div>
            <Button
              small
              busy={withdraw.isPending && withdraw.variables === id}
              aria-label={`Withdraw the invitation of ${email}`}
              onClick={() => withdraw.mutate(id)}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function untilWords(iso: string, now: Date): string {
  const end = new Date(iso);
  if (end < now) return "expired";
  return `open until ${end.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}`;
}
