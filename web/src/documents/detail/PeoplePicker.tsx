import { useState } from "react";
import type { Shares } from "@/api/types";
import { Picker } from "@/ui/Picker";

type PeoplePickerProps = { people: Shares["colleagues"]; onPick: (id: string) => void };

/** Finds somebody by a part of a name or an address. */
export function PeoplePicker({ people, onPick }: PeoplePickerProps) {
  const [text, setText] = useState("");
  const words = text.trim().toLowerCase();
  const found = people
    .map(({ id, name, email }) => ({ id, label: `${name} ${email}`.trim() }))
    .filter(({ label }) => label.toLowerCase().includes(words));
  return (
    <Picker
      label="Add somebody"
      placeholder="Part of a name or an e-mail address"
      nothing="Nobody here is called that."
      items={found}
      text={text}
      onText={setText}
      onPick={({ id }) => onPick(id)}
    />
  );
}
