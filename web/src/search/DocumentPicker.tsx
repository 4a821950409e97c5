import { useState } from "react";
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import type { Document } from "@/api/types";
import { Icon } from "@/ui/Icon";
import styles from "./DocumentPicker.module.css";
import { useDocumentsNamed } from "./queries";

type DocumentPickerProps = { label: string; onPick: (document: Document) => void };

/** Type a part of a name, choose with the arrow keys; the field is empty again afterwards. */
export function DocumentPicker({ label, onPick }: DocumentPickerProps) {
  const [text, setText] = useState("");
  const [picked, setPicked] = useState(0); // a new field each time: emptied while focused, the old one would open
  const { data = [] } = useDocumentsNamed(text.trim());
  const pick = (id: string | number | null) => {
    const found = data.find((document) => document.id === id);
    if (!found) return;
    setText("");
    setPicked((count) => count + 1);
    onPick(found);
  };
  return (
    <ComboBox
      key={picked}
      autoFocus={picked > 0}
      className={styles.picker}
      items={data}
      inputValue={text}
      onInputChange={setText}
      selectedKey={null}
      onSelectionChange={pick}
      allowsEmptyCollection
    >
      <Label className={styles.label}>{label}</Label>
      <div className={styles.field}>
        <Input className={styles.input} placeholder="Part of its name" />
        <Button className={styles.button}>
          <Icon name="chevron" size={16} />
        </Button>
      </div>
      <Popover className={styles.popover}>
        <ListBox<Document>
          className={styles.list}
          renderEmptyState={() => <p className={styles.nothing}>No document is called that.</p>}
        >
          {(document) => (
            <ListBoxItem id={document.id} textValue={document.name} className={styles.item}>
              {document.name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
