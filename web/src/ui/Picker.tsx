import { useState } from "react";
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { Icon } from "./Icon";
import styles from "./Picker.module.css";

type Choice = { id: string; label: string };

export type PickerProps<T extends Choice> = {
  label: string;
  placeholder: string;
  /** What the list says where nothing goes with the words. */
  nothing: string;
  /** What goes with the words that are typed. */
  items: readonly T[];
  text: string;
  onText: (text: string) => void;
  onPick: (choice: T) => void;
};

/** Type a part of a name, choose with the arrow keys; the field is empty again afterwards. */
export function Picker<T extends Choice>({
  label,
  placeholder,
  nothing,
  items,
  text,
  onText,
  onPick,
}: PickerProps<T>) {
  const [picked, setPicked] = useState(0); // a new field each time: emptied while focused, the old one would open
  const pick = (id: string | number | null) => {
    const found = items.find((choice) => choice.id === id);
    if (!found) return;
    onText("");
    setPicked((count) => count + 1);
    onPick(found);
  };
  return (
    <ComboBox
      key={picked}
      autoFocus={picked > 0}
      className={styles.picker}
      items={items}
      inputValue={text}
      onInputChange={onText}
      selectedKey={null}
      onSelectionChange={pick}
      allowsEmptyCollection
    >
      <Label className={styles.label}>{label}</Label>
      <div className={styles.field}>
        <Input className={styles.input} placeholder={placeholder} />
        <Button className={styles.button}>
          <Icon name="chevron" size={16} />
        </Button>
      </div>
      <Popover className={styles.popover}>
        <ListBox<T>
          className={styles.list}
          renderEmptyState={() => <p className={styles.nothing}>{nothing}</p>}
        >
          {(choice) => (
            <ListBoxItem id={choice.id} textValue={choice.label} className={styles.item}>
              {choice.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
