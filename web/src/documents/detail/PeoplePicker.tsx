import { useState } from "react";
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from "react-aria-components";
import type { Shares } from "@/api/types";
import picker from "@/search/DocumentPicker.module.css";
import { Icon } from "@/ui/Icon";

type PeoplePickerProps = { people: Shares["colleagues"]; onPick: (id: string) => void };

/** Type a part of a name or an address, choose with the arrow keys; the field is empty again afterwards. */
export function PeoplePicker({ people, onPick }: PeoplePickerProps) {
  const [text, setText] = useState("");
  const [picked, setPicked] = useState(0); // a new field each time: emptied while focused, the old one would open
  const words = text.trim().toLowerCase();
  const found = people.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(words));
  const pick = (id: string | number | null) => {
    if (id === null) return;
    setText("");
    setPicked((count) => count + 1);
    onPick(String(id));
  };
  return (
    <ComboBox
      key={picked}
      autoFocus={picked > 0}
      className={picker.picker}
      items={found}
      inputValue={text}
      onInputChange={setText}
      selectedKey={null}
      onSelectionChange={pick}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Label className={picker.label}>Add somebody</Label>
      <div className={picker.field}>
        <Input className={picker.input} placeholder="Part of a name or an e-mail address" />
        <Button className={picker.button}>
          <Icon name="chevron" size={16} />
        </Button>
      </div>
      <Popover className={picker.popover}>
        <ListBox<Shares["colleagues"][number]>
          className={picker.list}
          renderEmptyState={() => <p className={picker.nothing}>Nobody here is called that.</p>}
        >
          {({ id, name, email }) => (
            <ListBoxItem id={id} textValue={name || email} className={picker.item}>
              {name} {email}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
