/** What the list shows, kept in the address so that it survives a reload and can be sent to somebody. */
import type { Filter } from "./queries";

export const DEFAULT_SORT = "-created_at";

export function readFilter(params: URLSearchParams): Filter {
  return {
    folder_id: params.get("folder"),
    status: params.get("status"),
    q: params.get("q") ?? "",
    sort: params.get("sort") ?? DEFAULT_SORT,
  };
}

/** The query string of a filter, without what is the default anyway. */
export function writeFilter({ folder_id, status, q, sort }: Filter): string {
  const params = new URLSearchParams();
  if (folder_id) params.set("folder", folder_id);
  if (status) params.set("status", status);
  if (q) params.set("q", q);
  if (sort !== DEFAULT_SORT) params.set("sort", sort);
  const text = params.toString();
  return text && `?${text}`;
}

export interface SortOrder {
  column: string;
  direction: "ascending" | "descending";
}

export function readSort(sort: string): SortOrder {
  return sort.startsWith("-")
    ? { column: sort.slice(1), direction: "descending" }
    : { column: sort, direction: "ascending" };
}

export function writeSort({ column, direction }: SortOrder): string {
  return direction === "descending" ? `-${column}` : column;
}

export const SORTS: readonly { value: string; label: string }[] = [
  { value: "-created_at", label: "Newest first" },
  { value: "created_at", label: "Oldest first" },
  { value: "name", label: "Name" },
  { value: "-pages", label: "Most pages" },
  { value: "-chunks", label: "Most passages" },
];
