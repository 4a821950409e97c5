import type { ToolCall } from "@/api/types";
import { Icon } from "@/ui/Icon";
import { Spinner } from "@/ui/Spinner";
import { seconds } from "../words";
import styles from "./TraceLine.module.css";
import { argumentsOf, countsOf, summarise, toolName } from "./trace";

/** One line on what was done for an answer; it unfolds into every step. */
export function TraceLine({ tools, waiting }: { tools: readonly ToolCall[]; waiting: string | null }) {
  if (tools.length === 0) return waiting ? <Working words={waiting} /> : null;
  const running = tools.some((tool) => tool.state === "started" || tool.state === "progress");
  if (running) return <Working words={summarise(tools)} />;
  return (
    <details className={styles.trace}>
      <summary className={styles.line}>
        <Icon name="search" size={15} />
        <span>{summarise(tools)}</span>
        {waiting && <span className={styles.waiting}>{waiting}</span>}
        <span className={styles.turn}>
          <Icon name="chevron" size={15} />
        </span>
      </summary>
      <ol className={styles.steps}>
        {tools.map((tool) => (
          <Step key={tool.id} tool={tool} />
        ))}
      </ol>
    </details>
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

function Step({ tool }: { tool: ToolCall }) {
  const counts = countsOf(tool);
  return (
    <li className={tool.parent_id ? styles.nested : styles.step}>
      <div className={styles.stepHead}>
        <strong>{toolName(tool)}</strong>
        {tool.state === "failed" && <span className={styles.failed}>failed</span>}
        {typeof tool.ms === "number" && <span className={styles.ms}>{seconds(tool.ms)}</span>}
      </div>
      <dl className={styles.facts}>
        {argumentsOf(tool).map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {counts.length > 0 && (
          <div>
            <dt>found</dt>
            <dd>
              {counts.map(({ label, count, ms }) => (
                <div key={label}>
                  {count} {label}
                  {ms !== null && `, ${Math.round(ms)} ms`}
                </div>
              ))}
            </dd>
          </div>
        )}
        {tool.result?.top && tool.result.top.length > 0 && (
          <div>
            <dt>best</dt>
            <dd>
              {tool.result.top.map(({ n, name, page_start }) => (
                <div key={n}>
                  {n} · {name}
                  {page_start !== null && `, p. ${page_start}`}
                </div>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </li>
  );
}
