import { lazy, Suspense, useState } from "react";
import { LazyMenu } from "@/ui/LazyMenu";
import { useActions } from "../actions";
import type { Answer } from "../turns";

const SentDialog = lazy(() => import("./SentDialog"));
const XRay = lazy(() => import("@/search/XRay"));

/** The rarer things to do with an answer. */
export function AnswerMenu({ answer }: { answer: Answer }) {
  const actions = useActions();
  const [shown, show] = useState<"sent" | "xray" | null>(null);
  const { stored, id } = answer;
  if (!actions || !stored) return null;
  const searchId = stored.searchIds.at(-1);
  return (
    <>
      <LazyMenu
        label="More for this answer"
        items={[
          { id: "sent", label: "What was sent to the model", icon: "eye", onAction: () => show("sent") },
          ...(searchId
            ? [
                {
                  id: "xray",
                  label: "X-ray of the search",
                  icon: "search" as const,
                  onAction: () => show("xray"),
                },
              ]
            : []),
          stored.excluded
            ? {
                id: "include",
                label: "Take into memory again",
                icon: "eye",
                onAction: () => actions.exclude(id, false),
              }
            : {
                id: "exclude",
                label: "Leave out of memory",
                icon: "hidden",
                onAction: () => actions.exclude(id, true),
              },
          {
            id: "delete",
            label: "Delete the answer",
            icon: "trash",
            danger: true,
            disabled: actions.isBusy,
            onAction: () => actions.remove(id, "answer"),
          },
        ]}
      />
      <Suspense>
        {shown === "sent" && <SentDialog messageId={id} onClose={() => show(null)} />}
        {shown === "xray" && searchId && <XRay searchId={searchId} onClose={() => show(null)} />}
      </Suspense>
    </>
  );
}
