import { useState } from "react";
import type { Document } from "@/api/types";
import { Picker } from "@/ui/Picker";
import { useDocumentsNamed } from "./queries";

type DocumentPickerProps = { label: string; onPick: (document: Document) => void };

/** Finds a document by a part of its name. */
export function DocumentPicker({ label, onPick }: DocumentPickerProps) {
  const [text, setText] = useState("");
  const words = text.trim();
  const { data = [], isPlaceholderData: isOld } = useDocumentsNamed(words);
  // What an earlier text brought must not be chosen for this one.
  const found = isOld ? data.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase())) : data;
  return (
    <Picker
      label={label}
      placeholder="Part of its name"
      nothing="No document is called that."
      items={found.map((document) => ({ id: document.id, label: document.name, document }))}
      text={text}
      onText={setText}
      onPick={({ document }) => onPick(document)}
    />
  );
}
