import { lazy, type ReactNode, Suspense, useState } from "react";
import type { ToolCall } from "@/api/types";
import { Button } from "@/ui/Button";
import { safeLink } from "../markdown/links";
import { plural, seconds } from "../words";
import styles from "./TraceLine.module.css";
import { argumentsOf, countsOf, isPart, isRunning, outcomeOf, type Step, toolName } from "./trace";

const XRay = lazy(() => import("@/search/XRay"));

type StepViewProps = {
  step: Step;
  /** Its name says it all, as with parts of one and the same document. */
  isPlain?: boolean;
};

/** One step of a turn; the steps of a sub-agent fold under the one that set it to work. */
export function StepView({ step: { tool, inner }, isPlain }: StepViewProps) {
  const isOneDocument = new Set(inner.map((one) => one.tool.arguments?.document)).size < 2;
  return (
    <li className={styles.step}>
      <div className={styles.stepHead}>
        <strong>{toolName(tool)}</strong>
        {tool.state === "failed" && <span className={styles.failed}>failed</span>}
        {isRunning(tool) && <span className={styles.ms}>working</span>}
        {typeof tool.ms === "number" && <span className={styles.ms}>{seconds(tool.ms)}</span>}
      </div>
      {!isPlain && <Facts tool={tool} />}
      {typeof tool.result?.search_id === "string" && <Looking searchId={tool.result.search_id} />}
      {inner.length > 0 && (
        <details className={styles.nested}>
          <summary>{plural(inner.length, "step")} inside</summary>
          <ol className={styles.inner}>
            {inner.map((one) => (
              <StepView key={one.tool.id} step={one} isPlain={isOneDocument && isPart(one.tool)} />
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

function Facts({ tool }: { tool: ToolCall }) {
  const counts = countsOf(tool);
  const outcome = outcomeOf(tool);
  const top = tool.result?.top ?? [];
  return (
    <dl className={styles.facts}>
      {argumentsOf(tool).map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      {counts.length > 0 && (
        <Fact name="found">
          {counts.map(({ label, count, ms }) => (
            <div key={label}>
              {count} {label}
              {ms !== null && `, ${Math.round(ms)} ms`}
            </div>
          ))}
        </Fact>
      )}
      {top.length > 0 && (
        <Fact name="best">
          {top.map(({ n, name, page_start, url }) => (
            <div key={n}>
              {n} · {url && safeLink(url) ? <WebLink url={url}>{name}</WebLink> : name}
              {typeof page_start === "number" && `, p. ${page_start}`}
            </div>
          ))}
        </Fact>
      )}
      {outcome && <Fact name="outcome">{outcome}</Fact>}
    </dl>
  );
}

/** The way from a search to every candidate it weighed. */
function Looking({ searchId }: { searchId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small tone="quiet" icon="search" className={styles.xray} onClick={() => setOpen(true)}>
        X-ray of this search
      </Button>
      <Suspense>{isOpen && <XRay searchId={searchId} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function WebLink({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
