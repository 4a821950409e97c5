import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Me, SettingField, Settings, SettingValue } from "@/api/types";
import { EmptyState } from "@/ui/EmptyState";
import { PageHeader } from "@/ui/PageHeader";
import { showToast } from "@/ui/Toast";
import { type Draft, edit, matches, problem } from "./diff";
import { Gaps } from "./gaps/Gaps";
import { Gates } from "./gates/Gates";
import { concerns } from "./gates/words";
import { People } from "./people/People";
import { fieldErrors, useSave } from "./queries";
import { SaveBar } from "./SaveBar";
import { Section } from "./Section";
import styles from "./SettingsPage.module.css";

const GATES = {
  id: "gates",
  title: "What may be said",
  help: "Names and patterns that an audience never reads, and how far a document must be trusted to answer it. Every change here takes effect at once.",
};
const WANTED = {
  id: "wanted",
  title: "Wanted",
  help: "Questions without an answer: the documents worth adding.",
};
const PEOPLE = {
  id: "people",
  title: "People",
  help: "Who may sign in, and what they may do: users and their roles. Invite somebody by e-mail.",
};

export function SettingsForm({ settings, me }: { settings: Settings; me: Me }) {
  const [draft, setDraft] = useState<Draft>({});
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [search, setSearch] = useState("");
  const form = useRef<HTMLFormElement>(null);
  const save = useSave();
  const fields = settings.sections.flatMap((section) => section.fields);
  const changed = fields.filter(({ name }) => name in draft);
  useLeaveGuard(changed.length > 0);

  const sections = settings.sections
    .map((section) => ({
      ...section,
      fields: section.fields.filter((field) => matches(field, section, search.trim())),
    }))
    .filter((section) => section.fields.length > 0);
  const isFound = ({ title, help }: { title: string; help: string }) => concerns(title, help, search.trim());
  const own = [GATES, WANTED, PEOPLE].filter(isFound);
  const has = (section: { id: string }) => own.some(({ id }) => id === section.id);

  const change = (field: SettingField, value: SettingValue) => {
    setDraft((known) => edit(known, field, value));
    setErrors(({ [field.name]: _, ...rest }) => rest);
  };
  const complain = (found: Record<string, string>) => {
    setErrors(found);
    requestAnimationFrame(() => {
      const first = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
      first?.focus({ preventScroll: true });
      first?.scrollIntoView({ block: "center" }); // clear of the save bar
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problems(changed, draft);
    if (Object.keys(found).length > 0) return complain(found);
    save.mutate(draft, {
      onSuccess: () => {
        setDraft({});
        setErrors({});
        showToast({ message: "Saved. It is in use from now on, without a restart." });
      },
      onError: (error) => complain(fieldErrors(error)),
    });
  };

  return (
    <form ref={form} className={styles.page} onSubmit={submit} noValidate>
      <PageHeader
        title="Settings"
        search={{
          value: search,
          placeholder: "Find a setting",
          label: "Find a setting",
          onChange: setSearch,
        }}
      />
      <div className={styles.body}>
        <nav className={styles.nav} aria-label="Sections">
          {[...sections, ...own].map(({ id, title }) => (
            <a key={id} href={`#${id}`} className={styles.jump}>
              {title}
            </a>
          ))}
        </nav>
        <div className={styles.sections}>
          {sections.map((section) => (
            <Section key={section.id} section={section} draft={draft} errors={errors} onChange={change} />
          ))}
          {has(GATES) && <Gates title={GATES.title} help={GATES.help} />}
          {has(WANTED) && <Gaps title={WANTED.title} help={WANTED.help} />}
          {has(PEOPLE) && <People me={me} help={PEOPLE.help} />}
          {sections.length + own.length === 0 && (
            <EmptyState title="No such setting">Nothing here is called “{search.trim()}”.</EmptyState>
          )}
        </div>
      </div>
      <SaveBar
        changed={changed}
        draft={draft}
        isBusy={save.isPending}
        error={save.error}
        onDiscard={() => {
          setDraft({});
          setErrors({});
          save.reset();
        }}
      />
    </form>
  );
}

function problems(changed: readonly SettingField[], draft: Draft): Record<string, string> {
  const found = changed.map((field) => [field.name, problem(field, draft[field.name] ?? null)] as const);
  return Object.fromEntries(found.filter((one): one is readonly [string, string] => one[1] !== null));
}

/** The browser asks before a page with unsaved changes is closed. */
function useLeaveGuard(isDirty: boolean) {
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);
}
