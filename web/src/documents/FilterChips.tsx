import type { DocumentStatus } from "@/api/types";
import { classes } from "@/ui/classes";
import { Select } from "@/ui/Select";
import styles from "./FilterChips.module.css";
import type { Filter } from "./queries";
import { SORTS } from "./view";
import { number, STATUSES, statusWords } from "./words";

type FilterChipsProps = {
  counts: Partial<Record<DocumentStatus, number>>;
  filter: Filter;
  onChange: (filter: Filter) => void;
};

/** One chip a state that occurs, with its count; the one in use stays even at zero, so it can be left. */
export function FilterChips({ counts, filter, onChange }: FilterChipsProps) {
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const shown = STATUSES.filter((status) => counts[status as DocumentStatus] || status === filter.status);
  const choose = (status: string | null) => onChange({ ...filter, status });
  return (
    <div className={styles.bar}>
      <fieldset className={styles.chips}>
        <legend className="visually-hidden">Show by state</legend>
        <Chip label="All" amount={total} isOn={filter.status === null} onPress={() => choose(null)} />
        {shown.map((status) => (
          <Chip
            key={status}
            label={statusWords(status).label}
            tone={statusWords(status).tone}
            amount={counts[status as DocumentStatus] ?? 0}
            isOn={filter.status === status}
            onPress={() => choose(filter.status === status ? null : status)}
          />
        ))}
      </fieldset>
      <Select
        label="Order"
        hideLabel
        className={styles.sort}
        options={
          SORTS.some((one) => one.value === filter.sort)
            ? SORTS
            : [...SORTS, { value: filter.sort, label: "As chosen" }]
        }
        value={filter.sort}
        onChange={(sort) => onChange({ ...filter, sort })}
      />
    </div>
  );
}

type ChipProps = { label: string; amount: number; tone?: string; isOn: boolean; onPress: () => void };

function Chip({ label, amount, tone, isOn, onPress }: ChipProps) {
  return (
    <button
      type="button"
      className={classes(styles.chip, tone && styles[tone])}
      aria-pressed={isOn}
      onClick={onPress}
    >
      {label}
      <span className={styles.amount}>{number(amount)}</span>
    </button>
  );
}
