import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sentence } from "@/api/client";
import { Button } from "@/ui/Button";
import { EmptyState } from "@/ui/EmptyState";
import { Spinner } from "@/ui/Spinner";

type LoadedProps<T> = { query: UseQueryResult<T>; label: string; children: (data: T) => ReactNode };

/** What was read, or that it is being read, or why it was not. */
export function Loaded<T>({ query, label, children }: LoadedProps<T>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (!error) return <Spinner label={label} />;
  return (
    <EmptyState
      title="That did not load"
      action={
        <Button icon="retry" onClick={() => refetch()}>
          Try again
        </Button>
      }
    >
      {sentence(error)}
    </EmptyState>
  );
}
