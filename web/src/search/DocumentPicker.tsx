import { useState } from "react";
import type { Document } from "@/api/types";
import { Picker } from "@/ui/Picker";
import { useDocumentsNamed } from "./queries";

type DocumentPickerProps = { label: string; onPick: (document: Document) => void };

/** Finds a document by a part of its name. */
export function DocumentPicker({ label, onPick }: DocumentPickerProps) {
  const [text, setText] = useState("");
  const { data = [] } = useDocumentsNamed(text.trim());
  return (
    <Picker
      label={label}
      placeholder="Part of its name"
      nothing="No document is called that."
      items={data.map((document) => ({ id: document.id, label: document.name, document }))}
      text={text}
      onText={setText}
      onPick={({ document }) => onPick(document)}
    />
  );
}
