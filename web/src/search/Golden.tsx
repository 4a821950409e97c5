import { sentence } from "@/api/client";
import type { GoldenReport, Hit, Golden as Question } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import type { Asked } from "./asked";
import { DocumentPicker } from "./DocumentPicker";
import styles from "./Golden.module.css";
import { useChangeGolden, useGolden, useRunGolden } from "./queries";

type GoldenProps = { asked: Asked; found: readonly Hit[] };

/** Questions whose documents a search must find: kept, run together, scored. */
export function Golden({ asked, found }: GoldenProps) {
  const golden = useGolden();
  const run = useRunGolden();
  const questions = golden.data ?? [];
  return (
    <details className={styles.golden}>
      <summary>Golden questions{questions.length > 0 && ` (${questions.length})`}</summary>
      <div className={styles.body}>
        <p className={styles.help}>
          Questions with the documents that must be found for them. Run them after a change of settings or of
          documents, and see at once whether the search still finds what it should.
        </p>
        {asked.query && <Add asked={asked} found={found} />}
        {golden.error && <p role="alert">{sentence(golden.error)}</p>}
        <ul className={styles.list}>
          {questions.map((question) => (
            <Row key={question.id} question={question} report={run.data} />
          ))}
        </ul>
        {questions.length > 0 && (
          <div className={styles.run}>
            <Button icon="check" busy={run.isPending} onClick={() => run.mutate()}>
              Run them
            </Button>
            <span role="status">{run.data && summary(run.data)}</span>
          </div>
        )}
      </div>
    </details>
  );
}

/** Keeps what was just asked, with the first document found or one that was chosen. */
function Add({ asked, found }: GoldenProps) {
  const change = useChangeGolden();
  const [first] = found;
  const add = (id: string) => change.mutate({ add: { question: asked.query, document_ids: [id] } });
  return (
    <div className={styles.add}>
      <p>
        Keep <strong>{asked.query}</strong> with the document that must be found:
      </p>
      <div className={styles.choices}>
        {first && (
          <Button small icon="star" onClick={() => add(first.document_id)}>
            {first.name}
          </Button>
        )}
        <DocumentPicker label="Another document" onPick={(document) => add(document.id)} />
      </div>
    </div>
  );
}

function Row({ question, report }: { question: Question; report: GoldenReport | undefined }) {
  const change = useChangeGolden();
  const result = report?.results.find((one) => one.id === question.id);
  const names = question.documents.map((document) => document.name).join(", ");
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p>{question.question}</p>
        <p className={styles.help}>{names || "None of its documents is left that you may see."}</p>
      </div>
      {result ? (
        <Badge tone={result.rank === 1 ? "grounded" : result.rank ? "partly" : "failed"}>
          {result.rank ? `Found, number ${result.rank}` : "Not found"}
        </Badge>
      ) : (
        <span />
      )}
      <IconButton
        small
        icon="trash"
        label={`Forget the question ${question.question}`}
        onClick={() => change.mutate({ remove: question.id })}
      />
    </li>
  );
}

function summary({ questions, metrics, skipped }: GoldenReport): string {
  const first = Math.round((metrics["success@1"] ?? 0) * questions);
  const recall = Math.round((metrics["recall@5"] ?? 0) * 100);
  const left = skipped > 0 ? ` ${skipped} were left out: their documents are gone or hidden.` : "";
  return `${first} of ${questions} first, ${recall} % of the documents among the first five.${left}`;
}
