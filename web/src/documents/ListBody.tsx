import type { Document, Folder } from "@/api/types";
import { Button } from "@/ui/Button";
import { LoadError } from "@/ui/LoadError";
import type { Limits } from "./checks";
import type { DocumentDialog } from "./DocumentDialogs";
import { DocumentTable } from "./DocumentTable";
import { EmptyList } from "./EmptyList";
import styles from "./ListPage.module.css";
import type { Filter, useDocumentList } from "./queries";
import { TableSkeleton } from "./TableSkeleton";
import { pathWords } from "./tree";
import { count } from "./words";

type ListBodyProps = {
  list: ReturnType<typeof useDocumentList>;
  rows: readonly Document[];
  total: number;
  filter: Filter;
  folders: readonly Folder[];
  limits: Limits;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onFilter: (filter: Filter) => void;
  onDialog: (dialog: DocumentDialog) => void;
  onFiles: (files: File[]) => void;
  onPaste: () => void;
};

/** The table, or what stands in its place: loading, broken, empty, nothing that matches. */
export function ListBody({ list, rows, total, filter, folders, onFilter, ...props }: ListBodyProps) {
  if (list.isPending) return <TableSkeleton />;
  if (list.isError && rows.length === 0) return <LoadError title="The documents did not load" query={list} />;
  if (rows.length === 0) {
    return (
      <EmptyList
        filter={filter}
        place={pathWords(folders, filter.folder_id)}
        limits={props.limits}
        onFiles={props.onFiles}
        onPaste={props.onPaste}
        onClear={() => onFilter({ ...filter, q: "", status: null })}
      />
    );
  }
  return (
    <>
      <DocumentTable
        rows={rows}
        folders={filter.folder_id === null ? folders : NO_FOLDERS}
        sort={filter.sort}
        onSort={(sort) => onFilter({ ...filter, sort })}
        selected={props.selected}
        onSelect={props.onSelect}
        onDialog={props.onDialog}
      />
      {list.hasNextPage && (
        <p className={styles.more}>
          <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Show more of {count(total, "document")}
          </Button>
        </p>
      )}
    </>
  );
}

const NO_FOLDERS: readonly Folder[] = [];
