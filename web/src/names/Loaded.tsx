import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { LoadError } from "@/ui/LoadError";
import { Spinner } from "@/ui/Spinner";

type LoadedProps<T> = { query: UseQueryResult<T>; label: string; children: (data: T) => ReactNode };

/** What was read, or that it is being read, or why it was not. */
export function Loaded<T>({ query, label, children }: LoadedProps<T>) {
  const { data, error } = query;
  if (data !== undefined) return children(data);
  if (!error) return <Spinner label={label} />;
  return <LoadError title="That did not load" query={query} />;
}
