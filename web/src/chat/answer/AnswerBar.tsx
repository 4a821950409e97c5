import { lazy, Suspense } from "react";
import { Link } from "wouter";
import type { Source } from "@/api/types";
import { IconButton } from "@/ui/IconButton";
import { type Actions, useActions } from "../actions";
import { Branches } from "../Branches";
import { useCopy } from "../copy";
import type { Answer } from "../turns";
import { claimsNothing, isWeb, seconds } from "../words";
import styles from "./AnswerBar.module.css";
import { AnswerMenu } from "./AnswerMenu";
import { citedNumbers } from "./cited";
import { GroundingMark } from "./GroundingMark";
import { useRating } from "./rating";
import { loadFeedback, Thumbs } from "./Thumbs";
import { WebOffer } from "./WebOffer";

const FeedbackForm = lazy(loadFeedback);

type AnswerBarProps = { answer: Answer; questionId: string | null; isAdmin: boolean };

/** What stands under an answer: how far it is grounded, who wrote it, and what can be done with it. */
export function AnswerBar({ answer, questionId, isAdmin }: AnswerBarProps) {
  const actions = useActions();
  const { grounding, kind, stored, text } = answer;
  const model = isSet(answer) ? null : answer.model;
  const by = [model, answer.ms !== null && seconds(answer.ms)].filter(Boolean).join(", ");
  return (
    <>
      {text !== "" && (
        <div className={styles.state}>
          {grounding && !claimsNothing(grounding) && (
            <GroundingMark grounding={grounding} kind={kind} isFromWeb={restsOnWeb(answer)} />
          )}
          {actions && grounding?.state === "none" && (
            <span className={styles.wanted} title="Administrators see which questions found nothing.">
              {isAdmin ? <Link href="/wanted">Noted as wanted</Link> : "Noted as wanted"}
            </span>
          )}
          <span className={styles.by}>{by}</span>
        </div>
      )}
      <WebOffer answer={answer} questionId={questionId} />
      {stored && actions && <Tools {...{ answer, questionId, actions }} />}
      {stored && !actions && text !== "" && (
        <div className={styles.tools}>
          <Copy text={text} />
        </div>
      )}
    </>
  );
}

/** Fixed words of the house: no model wrote them, and asking again changes nothing. */
function isSet({ kind }: Answer): boolean {
  return kind === "crisis" || kind === "declined";
}

/** A golden question needs documents to look for: those that its answer cites. */
function citesDocuments(answer: Answer): boolean {
  return citedSources(answer).some((source) => !isWeb(source));
}

function restsOnWeb(answer: Answer): boolean {
  const cited = citedSources(answer);
  return cited.length > 0 && cited.every(isWeb);
}

function citedSources({ text, sources }: Answer): Source[] {
  const cited = citedNumbers(text, sources);
  return sources.filter((source) => cited.has(source.n));
}

function Copy({ text }: { text: string }) {
  const [copied, copy] = useCopy();
  return (
    <IconButton
      small
      icon={copied ? "check" : "copy"}
      label={copied ? "Copied" : "Copy the answer"}
      onClick={() => copy(text)}
    />
  );
}

function Tools({ answer, questionId, actions }: Omit<AnswerBarProps, "isAdmin"> & { actions: Actions }) {
  const rating = useRating(answer, actions);
  const isRateable = answer.text !== "" && answer.kind !== "crisis";
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons, not a form */}
      <div ref={rating.group} className={styles.tools} role="group" aria-label="About this answer">
        {answer.text !== "" && <Copy text={answer.text} />}
        {isRateable && <Thumbs rating={rating.given} onRate={rating.rate} />}
        {questionId !== null && !isSet(answer) && (
          <IconButton
            small
            icon="retry"
            label="Answer again"
            disabled={actions.isBusy}
            onClick={() => actions.answerAgain(questionId)}
          />
        )}
        {answer.stored && <Branches of="Answer" siblings={answer.stored.siblings} />}
        <AnswerMenu answer={answer} />
      </div>
      {rating.form && (
        <Suspense>
          <FeedbackForm
            key={rating.form.feedback.rating}
            {...rating.form}
            onGolden={citesDocuments(answer) ? () => actions.makeGolden(answer.id) : null}
          />
        </Suspense>
      )}
    </>
  );
}
