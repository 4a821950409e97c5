import { Icon, type IconName } from "@/ui/Icon";
import { Tooltip } from "@/ui/Tooltip";
import styles from "./SourceHeader.module.css";

/** A download that looks like an icon button. */
export function IconLink({ icon, label, href }: { icon: IconName; label: string; href: string }) {
  return (
    <Tooltip text={label}>
      <a className={styles.iconLink} href={href} download aria-label={label}>
        <Icon name={icon} />
      </a>
    </Tooltip>
  );
}
