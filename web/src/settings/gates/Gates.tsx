import type { Gates as GatesData, Rule } from "@/api/types";
import { Button } from "@/ui/Button";
import { LoadErrorLine } from "@/ui/LoadError";
import { Select } from "@/ui/Select";
import { Spinner } from "@/ui/Spinner";
import sectionStyles from "../Section.module.css";
import { AddRule } from "./AddRule";
import styles from "./Gates.module.css";
import { useGates, usePutAudience, useRemoveRule } from "./queries";
import { AUDIENCES, audienceWords, LEAST } from "./words";

/** The rules for audiences: which documents they are answered from, and which words they never read. */
export function Gates({ title, help }: { title: string; help: string }) {
  const gates = useGates();
  const { data, error } = gates;
  return (
    <section id="gates" className={sectionStyles.section} aria-labelledby="gates-title">
      <header className={sectionStyles.header}>
        <h2 id="gates-title" className={sectionStyles.title}>
          {title}
        </h2>
        <p className={sectionStyles.help}>{help}</p>
      </header>
      {error && !data && <LoadErrorLine query={gates} />}
      {!data && !error && <Spinner label="Loading the rules" />}
      {data && <Audiences gates={data} />}
      {data && <Rules rules={data.rules} />}
      <AddRule />
    </section>
  );
}

function Audiences({ gates }: { gates: GatesData }) {
  const put = usePutAudience();
  return (
    <div className={styles.audiences}>
      {AUDIENCES.map(({ value, label }) => {
        const least = String(gates.audiences[value]?.least_trust ?? 0);
        return (
          <Select
            key={value}
            label={`${label} are answered from`}
            options={LEAST}
            value={least}
            disabled={put.isPending}
            help={LEAST.find((one) => one.value === least)?.help}
            onChange={(trust) => put.mutate({ audience: value, trust: Number(trust) })}
          />
        );
      })}
    </div>
  );
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  return (
    <div>
      <h3 className={styles.legend}>Protected words</h3>
      {rules.length === 0 ? (
        <p className={styles.note}>
          None yet. A passage that holds protected words is kept out of every answer for that audience.
        </p>
      ) : (
        <ul className={styles.rules} aria-label="Protected words">
          {rules.map((rule) => (
            <RuleRow key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
    </div>
  );
}

function RuleRow({ rule }: { rule: Rule }) {
  const remove = useRemoveRule();
  const { kind, value, audience, note } = rule;
  return (
    <li className={styles.rule}>
      <div className={styles.what}>
        <span className={kind === "pattern" ? styles.pattern : styles.value}>{value}</span>
        <span className={styles.note}>
          {kind === "pattern" ? "Pattern" : "Name"}, kept {audienceWords(audience).from}
          {note && ` · ${note}`}
        </span>
      </div>
      <Button
        small
        busy={remove.isPending}
        aria-label={`Remove the rule for ${value}, kept ${audienceWords(audience).from}`}
        onClick={() => remove.mutate(rule)}
      >
        Remove
      </Button>
    </li>
  );
}
