import { useMe } from "@/api/queries";
import type { Access } from "@/api/types";
import { Select } from "@/ui/Select";
import { useChangeAccess } from "./access";
import styles from "./Sharing.module.css";
import { TRUSTS, USES, type Use } from "./sharing";

/** What answers may draw on it for. */
export function Uses({ id, access }: { id: string; access: Access }) {
  const change = useChangeAccess(id);
  const me = useMe();
  const isAdmin = me.data?.user.role === "owner" || me.data?.user.role === "admin";
  const trusts = TRUSTS.filter(({ value }) => isAdmin || value <= 0 || value === access.trust);
  return (
    <section className={styles.uses}>
      <h2 className={styles.heading}>What it is for</h2>
      <Select
        label="Used as"
        options={USES}
        value={access.use}
        disabled={change.isPending}
        help={USES.find(({ value }) => value === access.use)?.help}
        onChange={(use) => change.mutate({ use: use as Use })}
      />
      <Select
        label="How far it is trusted"
        options={trusts.map(({ value, label }) => ({ value: String(value), label }))}
        value={String(access.trust)}
        disabled={change.isPending}
        help={TRUSTS.find(({ value }) => value === access.trust)?.help}
        onChange={(trust) => change.mutate({ trust: Number(trust) })}
      />
      {!isAdmin && <p className={styles.note}>Only administrators approve a document.</p>}
    </section>
  );
}
