import { useCopy } from "@/chat/copy";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import styles from "./People.module.css";

type OneTimeLinkProps = { email: string; link: string; expiresAt: string; onClose: () => void };

/** A link that lets somebody in, to be handed over by hand. */
export function OneTimeLink({ email, link, expiresAt, onClose }: OneTimeLinkProps) {
  const [isCopied, copy] = useCopy();
  const until = new Date(expiresAt).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
  });
  return (
    <div className={styles.link} role="status">
      <p>
        The link for <strong>{email}</strong> works once, until {until}. It is shown only now.
      </p>
      <div className={styles.linkRow}>
        <input
          readOnly
          className={styles.linkText}
          value={link}
          aria-label={`Link for ${email}`}
          onFocus={(event) => event.target.select()}
        />
        <Button icon={isCopied ? "check" : "copy"} onClick={() => copy(link)}>
          {isCopied ? "Copied" : "Copy"}
        </Button>
        <IconButton icon="close" label="Hide the link" onClick={onClose} />
      </div>
    </div>
  );
}
