import { useState } from "react";
import type { Name, NameDetail } from "@/api/types";
import { Button } from "@/ui/Button";
import { Picker } from "@/ui/Picker";
import styles from "./NamePage.module.css";
import { useDecide, useMayDecide, useNames } from "./queries";
import { spelled, supportWords } from "./words";

/** The names that are held for one, each to be taken out; and a way to add another. */
export function Held({ detail }: { detail: NameDetail }) {
  const decide = useDecide();
  const mayDecide = useMayDecide();
  const { id, name, names } = detail;
  const [first, ...others] = names;
  return (
    <section>
      <h2 className={styles.heading}>Held for one</h2>
      {others.length === 0 ? (
        <p className={styles.note}>This name stands for itself alone.</p>
      ) : (
        <ul className={styles.held}>
          {others.map((other) => (
            <li key={other.id} className={styles.other}>
              <span dir="auto">{spelled(other.name, detail)}</span>
              {mayDecide && (
                <Button
                  small
                  busy={decide.isPending}
                  aria-label={`These are two: ${first?.name} and ${other.name}`}
                  onClick={() => decide.mutate({ kind: "split", source: first?.id ?? id, target: other.id })}
                >
                  These are two
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayDecide && <Same id={id} name={name} />}
    </section>
  );
}

/** Another name for the same, chosen among those there are. */
function Same({ id, name }: { id: string; name: string }) {
  const decide = useDecide();
  const [chosen, setChosen] = useState<Name | null>(null);
  const unite = (other: Name) =>
    decide.mutate({ kind: "merge", source: id, target: other.id }, { onSuccess: () => setChosen(null) });
  return (
    <div className={styles.same}>
      <NamePicker without={id} onPick={setChosen} />
      {chosen && (
        <div className={styles.confirm}>
          <Button busy={decide.isPending} onClick={() => unite(chosen)}>
            {name} and {chosen.name} are one
          </Button>
          <Button tone="quiet" onClick={() => setChosen(null)}>
            No
          </Button>
        </div>
      )}
    </div>
  );
}

function NamePicker({ without, onPick }: { without: string; onPick: (name: Name) => void }) {
  const [text, setText] = useState("");
  const words = text.trim();
  const { data = [], isPlaceholderData: isOld } = useNames(words);
  // What an earlier text brought must not be chosen for this one.
  const fits = (name: Name) => !isOld || name.name.toLowerCase().startsWith(words.toLowerCase());
  const others = data.filter((name) => name.id !== without && fits(name));
  return (
    <Picker
      label="Another name for the same"
      placeholder="How it begins"
      nothing="No name begins like that."
      items={others.map((name) => ({ id: name.id, label: `${name.name}, ${supportWords(name)}`, name }))}
      text={text}
      onText={setText}
      onPick={({ name }) => onPick(name)}
    />
  );
}
