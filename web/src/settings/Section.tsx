import type { SettingField, SettingSection, SettingValue } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { Detected } from "./Detected";
import { takesEndpoint } from "./detected";
import type { Draft } from "./diff";
import { Field } from "./Field";
import { ProbeRow } from "./ProbeRow";
import styles from "./Section.module.css";

type SectionProps = {
  section: SettingSection;
  draft: Draft;
  errors: Readonly<Record<string, string>>;
  onChange: (field: SettingField, value: SettingValue) => void;
};

export function Section({ section, draft, errors, onChange }: SectionProps) {
  const { id, title, help, active, fields } = section;
  return (
    <section id={id} className={styles.section} aria-labelledby={`${id}-title`}>
      <header className={styles.header}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        <p className={styles.help}>{help}</p>
        {active && (
          <p className={styles.active}>
            <Badge tone="grounded">In use</Badge>
            <strong>{active.label}</strong>
            {active.detail && <span className={styles.detail}>{active.detail}</span>}
          </p>
        )}
      </header>
      {takesEndpoint(section) && <Detected section={section} draft={draft} onChange={onChange} />}
      <div className={styles.fields}>
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            draft={draft}
            error={errors[field.name] ?? null}
            onChange={onChange}
          />
        ))}
      </div>
      {takesEndpoint(section) && <ProbeRow section={section} draft={draft} />}
    </section>
  );
}
