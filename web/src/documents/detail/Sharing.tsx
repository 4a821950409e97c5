import { sentence } from "@/api/client";
import type { Access, Document } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { LoadErrorLine } from "@/ui/LoadError";
import { Spinner } from "@/ui/Spinner";
import { useAccess, useShares } from "./access";
import styles from "./Sharing.module.css";
import { NOW_ID, nowWords, whyWords } from "./sharing";
import { Uses } from "./Uses";
import { WhoSees } from "./WhoSees";

/** Who sees the document now and why; for its owner also the way to change that, and what it is for. */
export function Sharing({ document }: { document: Document }) {
  const access = useAccess(document.id);
  const { data, error } = access;
  if (error && !data) return <LoadErrorLine query={access} />;
  if (!data) return <Spinner label="Loading who can see it" />;
  return (
    <div className={styles.sharing}>
      <Now access={data} />
      {data.own && <Change document={document} access={data} />}
      {data.own && <Uses id={document.id} access={data} />}
    </div>
  );
}

const SHOWN = 8;

function Now({ access }: { access: Access }) {
  const { people, complete, visibility } = access;
  return (
    <section>
      <h2 className={styles.heading}>Who can see it now</h2>
      <p id={NOW_ID} className={styles.now} role="status" tabIndex={-1}>
        <Icon name={visibility === "private" ? "lock" : visibility === "public" ? "globe" : "people"} />
        {nowWords(access)}
      </p>
      <ul className={styles.people}>
        {people.slice(0, SHOWN).map((person) => (
          <Person key={person.id} {...person} />
        ))}
      </ul>
      {people.length > SHOWN && (
        <details className={styles.more}>
          <summary>And {people.length - SHOWN} more</summary>
          <ul className={styles.people}>
            {people.slice(SHOWN).map((person) => (
              <Person key={person.id} {...person} />
            ))}
          </ul>
        </details>
      )}
      {!complete && <p className={styles.note}>Whom else it is shown to, only its owner sees.</p>}
    </section>
  );
}

function Person({ name, email, why }: { name: string; email: string; why: string }) {
  return (
    <li className={styles.person}>
      <span className={styles.name} title={email}>
        {name || email}
      </span>
      <span className={styles.why}>{whyWords(why)}</span>
    </li>
  );
}

function Change({ document, access }: { document: Document; access: Access }) {
  const { data, error } = useShares(document.id);
  if (error && !data) return <p role="alert">{sentence(error)}</p>;
  if (!data) return <Spinner label="Loading whom it could be shown to" />;
  const chosen = data.items.map(({ id }) => id);
  // A change that another page made begins the form anew.
  const present = [access.visibility, ...chosen].join(" ");
  return (
    <WhoSees
      key={present}
      id={document.id}
      visibility={access.visibility}
      chosen={chosen}
      colleagues={data.colleagues}
    />
  );
}
