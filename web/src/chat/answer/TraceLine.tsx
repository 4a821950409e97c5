import type { ToolCall } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { Progress } from "@/ui/Progress";
import { Spinner } from "@/ui/Spinner";
import { StepView } from "./StepView";
import styles from "./TraceLine.module.css";
import { isRunning, progressOf, summarise, toSteps } from "./trace";

/** One line on what was done for an answer; it unfolds into every step. */
export function TraceLine({ tools, waiting }: { tools: readonly ToolCall[]; waiting: string | null }) {
  if (tools.length === 0) return waiting ? <Working words={waiting} /> : null;
  const running = tools.some(isRunning);
  const progress = progressOf(tools);
  const line = summarise(tools);
  return (
    <>
      <details className={styles.trace}>
        <summary className={styles.line}>
          {running ? <Spinner size={14} /> : <Icon name="search" size={15} />}
          <span>{line}</span>
          {waiting && !running && <span className={styles.waiting}>{waiting}</span>}
          <span className={styles.turn}>
            <Icon name="chevron" size={15} />
          </span>
        </summary>
        <ol className={styles.steps}>
          {toSteps(tools).map((step) => (
            <StepView key={step.tool.id} step={step} />
          ))}
        </ol>
      </details>
      {progress && (
        <div className={styles.progress}>
          <Progress value={progress.share} label={line} />
        </div>
      )}
    </>
  );
}

function Working({ words }: { words: string }) {
  return (
    <p className={styles.line}>
      <Spinner size={14} />
      {words}
    </p>
  );
}
