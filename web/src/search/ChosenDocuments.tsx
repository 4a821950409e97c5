import { useDocument } from "@/documents/queries";
import { IconButton } from "@/ui/IconButton";
import { DocumentPicker } from "./DocumentPicker";
import styles from "./SearchForm.module.css";

/** Documents that a search is kept to; none searches all of them. */
export function ChosenDocuments({ ids, onChange }: { ids: string[]; onChange: (ids: string[]) => void }) {
  return (
    <div className={styles.documents}>
      <DocumentPicker
        label="Only in these documents"
        onPick={(document) => !ids.includes(document.id) && onChange([...ids, document.id])}
      />
      {ids.length > 0 && (
        <ul className={styles.chosen}>
          {ids.map((id) => (
            <Chip key={id} id={id} onRemove={() => onChange(ids.filter((one) => one !== id))} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Chip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { data } = useDocument(id);
  const name = data?.name ?? "A document";
  return (
    <li className={styles.chip}>
      <span>{name}</span>
      <IconButton small icon="close" label={`Leave out ${name}`} onClick={onRemove} />
    </li>
  );
}
