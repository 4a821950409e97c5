import { useState } from "react";
import {
  Button as AriaButton,
  ComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from "react-aria-components";
import { useLocation } from "wouter";
import type { Name, NameDetail } from "@/api/types";
import picker from "@/search/DocumentPicker.module.css";
import { Button } from "@/ui/Button";
import { Icon } from "@/ui/Icon";
import styles from "./NamePage.module.css";
import { useDecide, useNames } from "./queries";
import { supportWords } from "./words";

/** The names that are held for one, each to be taken out; and a way to add another. */
export function Held({ detail }: { detail: NameDetail }) {
  const decide = useDecide();
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
              <span dir="auto">{other.name}</span>
              <Button
                small
                busy={decide.isPending}
                aria-label={`These are two: ${first?.name} and ${other.name}`}
                onClick={() => decide.mutate({ kind: "split", source: first?.id ?? id, target: other.id })}
              >
                These are two
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Same id={id} name={name} />
    </section>
  );
}

/** Another name for the same, chosen among those there are. */
function Same({ id, name }: { id: string; name: string }) {
  const decide = useDecide();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState<Name | null>(null);
  const unite = (other: Name) =>
    decide.mutate(
      { kind: "merge", source: id, target: other.id },
      // The longest name leads, which may be the other one; its id finds both.
      { onSuccess: () => navigate(`/names/${other.id}`) },
    );
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
  const [picked, setPicked] = useState(0); // a new field each time, empty
  const { data = [] } = useNames(text.trim());
  const items = data.filter(({ id }) => id !== without);
  const pick = (id: string | number | null) => {
    const found = items.find((one) => one.id === id);
    if (!found) return;
    setText("");
    setPicked((count) => count + 1);
    onPick(found);
  };
  return (
    <ComboBox
      key={picked}
      className={picker.picker}
      items={items}
      inputValue={text}
      onInputChange={setText}
      selectedKey={null}
      onSelectionChange={pick}
      allowsEmptyCollection
    >
      <Label className={picker.label}>Another name for the same</Label>
      <div className={picker.field}>
        <Input className={picker.input} placeholder="How it begins" />
        <AriaButton className={picker.button}>
          <Icon name="chevron" size={16} />
        </AriaButton>
      </div>
      <Popover className={picker.popover}>
        <ListBox<Name>
          className={picker.list}
          renderEmptyState={() => <p className={picker.nothing}>No name begins like that.</p>}
        >
          {(one) => (
            <ListBoxItem id={one.id} textValue={one.name} className={picker.item}>
              {one.name}, {supportWords(one)}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
