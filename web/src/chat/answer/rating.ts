import { useRef, useState } from "react";
import type { Actions } from "../actions";
import type { Answer } from "../turns";

type Rated = { answerId: string; rating: "up" | "down" };

/** Rates an answer, then asks why. A rating counts at once; the reason may follow, or the rating be taken back. */
export function useRating(answer: Answer, actions: Actions) {
  const [asking, askWhy] = useState<Rated | null>(null);
  const group = useRef<HTMLDivElement>(null);
  const feedback = answer.stored?.feedback ?? null;
  const given = feedback?.rating ?? null;
  const rate = async (rating: "up" | "down") => {
    const isKept = rating === given || (await actions.rate(answer.id, { rating, reason: "" }));
    if (isKept) askWhy({ answerId: answer.id, rating });
  };
  const onClose = () => {
    askWhy(null);
    group.current?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
  };
  const onTakeBack = () => {
    onClose();
    void actions.rate(answer.id, { rating: null, reason: "" });
  };
  const isAsking = asking !== null && asking.answerId === answer.id && asking.rating === given;
  const form = isAsking && {
    feedback: { rating: asking.rating, reason: feedback?.reason ?? "" },
    onSave: (reason: string) => actions.rate(answer.id, { rating: asking.rating, reason }),
    onTakeBack,
    onClose,
  };
  return { given, rate, group, form };
}
