import { Button } from "react-aria-components";
import buttonStyles from "@/ui/Button.module.css";
import { classes } from "@/ui/classes";
import { Icon, type IconName } from "@/ui/Icon";
import { Spinner } from "@/ui/Spinner";

type RowButtonProps = { icon?: IconName; isBusy?: boolean; onPress: () => void; children: string };

/** A button inside a table row: it keeps its press from reaching the row, and arrow keys reach it. */
export function RowButton({ icon, isBusy, onPress, children }: RowButtonProps) {
  return (
    <Button
      className={classes(buttonStyles.button, buttonStyles.plain, buttonStyles.small)}
      isDisabled={isBusy}
      onPress={onPress}
    >
      {isBusy ? <Spinner size={16} /> : icon && <Icon name={icon} size={16} />}
      {children}
    </Button>
  );
}
