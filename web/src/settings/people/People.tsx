import type { Me, Person, Role } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { LoadErrorLine } from "@/ui/LoadError";
import { Select } from "@/ui/Select";
import { Spinner } from "@/ui/Spinner";
import { useChangePerson, usePeople, useResetLink } from "../queries";
import sectionStyles from "../Section.module.css";
import { Invitations } from "./Invitations";
import { Invite } from "./Invite";
import { OneTimeLink } from "./OneTimeLink";
import styles from "./People.module.css";
import { mayChange, rolesToGive, roleWords } from "./roles";

/** Who may sign in: people and their roles, invitations, and a way to invite. */
export function People({ me, help }: { me: Me; help: string }) {
  const people = usePeople();
  return (
    <section id="people" className={sectionStyles.section} aria-labelledby="people-title">
      <header className={sectionStyles.header}>
        <h2 id="people-title" className={sectionStyles.title}>
          People
        </h2>
        <p className={sectionStyles.help}>{help}</p>
      </header>
      {people.isPending && <Spinner label="Loading the people" />}
      {people.error && <LoadErrorLine query={people} />}
      {people.data && (
        <ul className={styles.list}>
          {people.data.map((person) => (
            <PersonRow key={person.id} person={person} me={me} />
          ))}
        </ul>
      )}
      <Invite mine={me.user.role} />
      <Invitations />
    </section>
  );
}

function PersonRow({ person, me }: { person: Person; me: Me }) {
  const change = useChangePerson();
  const reset = useResetLink();
  const { id, name, email, role, disabled } = person;
  const isSelf = id === me.user.id;
  const canChange = mayChange(me.user.role, isSelf, role);
  const given = rolesToGive(me.user.role);
  return (
    <li className={styles.row} data-disabled={disabled || undefined}>
      <div className={styles.who}>
        <span className={styles.name}>
          {name} {isSelf && <span className={styles.self}>you</span>}
        </span>
        <span className={styles.email}>{email}</span>
      </div>
      {disabled && <Badge tone="none">Disabled</Badge>}
      {canChange ? (
        <>
          <Select
            label={`Role of ${name}`}
            hideLabel
            title={roleWords(role).help}
            options={
              given.some(({ value }) => value === role)
                ? given
                : [{ value: role, label: roleWords(role).label }, ...given]
            }
            value={role}
            onChange={(next) => change.mutate({ id, role: next as Role })}
          />
          <Button
            small
            tone="quiet"
            busy={reset.isPending}
            title={`Makes a link with which ${name} sets a new password. You hand it over yourself.`}
            aria-label={`New password for ${name}`}
            onClick={() => reset.mutate(id)}
          >
            New password
          </Button>
          <Button
            small
            tone={disabled ? "plain" : "danger"}
            busy={change.isPending}
            title={disabled ? undefined : `Signs ${name} out everywhere at once; documents and threads stay.`}
            aria-label={`${disabled ? "Enable" : "Disable"} ${name}`}
            onClick={() => change.mutate({ id, disabled: !disabled })}
          >
            {disabled ? "Enable" : "Disable"}
          </Button>
        </>
      ) : (
        <span className={styles.role} title={roleWords(role).help}>
          {roleWords(role).label}
        </span>
      )}
      {reset.data && (
        <OneTimeLink
          email={email}
          link={reset.data.link}
          expiresAt={reset.data.expires_at}
          onClose={reset.reset}
        />
      )}
    </li>
  );
}
