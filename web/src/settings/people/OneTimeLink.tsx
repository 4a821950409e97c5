import type { Invitation } from "@/api/types";
import { useCopy } from "@/chat/copy";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import styles from "./People.module.css";

type OneTimeLinkProps = { invitation: Invitation; link: string; onClose: () => void };

export function OneTimeLink({ invitation, link, onClose }: OneTimeLinkProps) {
  const [isCopied, copy] = useCopy();
  const until = new Date(invitation.expires_at).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
  });
  return (
    <div className={styles.link} role="status">
      <p>
        The link for <strong>{invitation.email}</strong> works once, until {until}. It is shown only now.
      </p>
      <div className={styles.linkRow}>
        <input
          readOnly
          className={styles.linkText}
          value={link}
          aria-label={`Invitation link for ${invitation.email}`}
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
