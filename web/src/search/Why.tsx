import { useState } from "react";
import { sentence } from "@/api/client";
import type { Document, WhyAnswer } from "@/api/types";
import { Button } from "@/ui/Button";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import { Spinner } from "@/ui/Spinner";
import type { Asked } from "./asked";
import { DocumentPicker } from "./DocumentPicker";
import { useWhy } from "./queries";
import styles from "./Why.module.css";
import { LADDER, stageTitle } from "./words";

/** "Why is my document not here?": the stage that lost it, and what helps. */
export function Why({ asked, onOpen }: { asked: Asked; onOpen: (chunkId: string) => void }) {
  const [document, setDocument] = useState<Document | null>(null);
  const why = useWhy(asked, document?.id ?? null);
  return (
    <section className={styles.why} aria-labelledby="why-title">
      <h2 id="why-title" className={styles.title}>
        Why is my document not here?
      </h2>
      <DocumentPicker label="The document you miss" onPick={setDocument} />
      <div aria-live="polite">
        {document && why.isFetching && <Spinner label={`Looking for ${document.name}`} />}
        {document && why.error && <p className={styles.failed}>{sentence(why.error)}</p>}
        {document && why.data && !why.isFetching && (
          <Told document={document} answer={why.data} onOpen={onOpen} />
        )}
      </div>
    </section>
  );
}

type ToldProps = { document: Document; answer: WhyAnswer; onOpen: (chunkId: string) => void };

function Told({ document, answer, onOpen }: ToldProps) {
  const reached = new Set(answer.reached);
  const lost = LADDER.find(({ stage }) => !reached.has(stage))?.stage;
  const { best } = answer;
  return (
    <div className={styles.told}>
      <p>
        <strong>{document.name}</strong>: {stageTitle(answer.stage)}. {answer.detail}
      </p>
      <p className={styles.remedy}>{answer.remedy}</p>
      <ol className={styles.ladder}>
        {LADDER.map(({ stage, label }) => (
          <li key={stage} className={classes(styles.step, stage === lost && styles.lost)}>
            {reached.has(stage) ? (
              <Icon name="check" size={16} />
            ) : (
              <Icon name={stage === lost ? "close" : "minus"} size={16} />
            )}
            <span>{label}</span>
            <span className="visually-hidden">
              {reached.has(stage) ? "yes" : stage === lost ? "no: here it was lost" : "not reached"}
            </span>
          </li>
        ))}
      </ol>
      {best?.name && (
        <Button small icon="open" onClick={() => onOpen(best.chunk_id)}>
          Open its best passage
        </Button>
      )}
    </div>
  );
}
