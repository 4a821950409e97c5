import { Button } from "@/ui/Button";
import { useActions } from "../actions";
import type { Answer } from "../turns";
import { offeredQuery } from "./offer";
import styles from "./WebOffer.module.css";

/** Where the documents do not answer and a person has to agree first: the web search, with its very words. */
export function WebOffer({ answer, questionId }: { answer: Answer; questionId: string | null }) {
  const actions = useActions();
  const isUnmet = answer.grounding?.state === "none" || answer.grounding?.state === "general";
  const query = isUnmet ? offeredQuery(answer.text) : null;
  if (!actions || !query || questionId === null) return null;
  return (
    <Button
      small
      icon="globe"
      className={styles.offer}
      disabled={actions.isBusy}
      onClick={() => actions.answerAgain(questionId, { allowWeb: true })}
    >
      Search the web for “{query}”
    </Button>
  );
}
