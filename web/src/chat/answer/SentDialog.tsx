import { useQuery } from "@tanstack/react-query";
import { api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { SentRequest } from "@/api/types";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Spinner } from "@/ui/Spinner";
import { useCopy } from "../copy";
import { plural } from "../words";
import styles from "./SentDialog.module.css";
import { type SentPart, sentOf } from "./sentbody";

/** Exactly what the model was sent for an answer: request by request, message by message. */
export default function SentDialog({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const sent = useQuery({
    queryKey: keys.requests(messageId),
    queryFn: () => api.get<{ items: SentRequest[] }>(`/api/messages/${messageId}/requests`),
  });
  const items = sent.data?.items;
  return (
    <Dialog title="What was sent to the model" isOpen wide onClose={onClose}>
      {sent.isPending && <Spinner label="Loading" />}
      {sent.isError && <p>{sentence(sent.error)}</p>}
      {items && items.length === 0 && (
        <p className={styles.words}>
          Nothing is kept for this answer: no model was asked, or it is older than your last twenty.
        </p>
      )}
      {items && items.length > 0 && (
        <div className={styles.requests}>
          <p className={styles.words}>
            {plural(items.length, "request")}, word for word.{" "}
            {items.some((item) => item.for_admins)
              ? "Administrators have switched on that they can read it too."
              : "Only you can read this."}
          </p>
          {items.map((item) => (
            <Request key={item.number} request={item} isOnly={items.length === 1} />
          ))}
        </div>
      )}
    </Dialog>
  );
}

function Request({ request, isOnly }: { request: SentRequest; isOnly: boolean }) {
  const [copied, copy] = useCopy();
  const { model, parts, tools } = sentOf(request.body);
  return (
    <details className={styles.request} open={isOnly || request.number === 1}>
      <summary className={styles.head}>
        <strong>Request {request.number}</strong>
        <span>{[model, parts.length > 0 && plural(parts.length, "message")].filter(Boolean).join(", ")}</span>
      </summary>
      {tools.length > 0 && <p className={styles.words}>Tools it could use: {tools.join(", ")}</p>}
      <ol className={styles.parts}>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was sent does not change
          <Part key={index} part={part} />
        ))}
      </ol>
      {!request.whole && (
        <p className={styles.words}>It was too long to be kept whole. This is its beginning and its end.</p>
      )}
      <details className={styles.raw} open={!request.whole}>
        <summary>As it went over the wire</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard too */}
        <pre className={styles.text} tabIndex={0}>
          {request.body ? JSON.stringify(request.body, null, 2) : request.text}
        </pre>
        <Button small icon={copied ? "check" : "copy"} onClick={() => copy(request.text)}>
          {copied ? "Copied" : "Copy"}
        </Button>
      </details>
    </details>
  );
}

function Part({ part }: { part: SentPart }) {
  return (
    <li className={styles.part} data-role={part.role}>
      <span className={styles.role}>{part.label}</span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard too */}
      <section className={styles.text} tabIndex={0} aria-label={part.label}>
        {part.text}
      </section>
    </li>
  );
}
