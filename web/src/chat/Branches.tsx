import type { Siblings } from "@/api/types";
import { IconButton } from "@/ui/IconButton";
import { useActions } from "./actions";
import styles from "./Branches.module.css";

type BranchesProps = { of: "Question" | "Answer"; siblings: Siblings };

/** Which of several versions is shown, and the way to the others. */
export function Branches({ of, siblings }: BranchesProps) {
  const actions = useActions();
  const { index, count, ids } = siblings;
  if (!actions || count < 2) return null;
  const arrow = (icon: "left" | "right", label: string, id: string | undefined) => {
    const isOff = id === undefined || actions.isBusy;
    return (
      // It keeps the focus at either end, so that an arrow can be pressed on and back.
      <IconButton
        small
        icon={icon}
        label={`${label} version of the ${of.toLowerCase()}`}
        aria-disabled={isOff || undefined}
        className={isOff ? styles.off : undefined}
        onClick={() => !isOff && actions.select(id)}
      />
    );
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset of two buttons would be read as a form
    <span className={styles.branches} role="group" aria-label={`Versions of the ${of.toLowerCase()}`}>
      {arrow("left", "Earlier", ids[index - 1])}
      <span aria-live="polite">
        <span className="visually-hidden">{of} </span>
        {index + 1} of {count}
      </span>
      {arrow("right", "Later", ids[index + 1])}
    </span>
  );
}
