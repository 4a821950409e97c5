import { useDeferredValue, useMemo, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { type DocumentDialog, DocumentDialogs } from "./DocumentDialogs";
import { DropArea } from "./DropArea";
import { FilterChips } from "./FilterChips";
import { FolderSelect } from "./FolderSelect";
import { FolderTree } from "./FolderTree";
import { ListBody } from "./ListBody";
import { ListHeader } from "./ListHeader";
import styles from "./ListPage.module.css";
import { PasteDialog } from "./PasteDialog";
import { type Filter, useDocumentList, useFolders } from "./queries";
import { SelectionBar } from "./SelectionBar";
import { pathWords } from "./tree";
import { UploadTray } from "./UploadTray";
import { useAddFiles } from "./useAddFiles";
import { readFilter, writeFilter } from "./view";

export function ListPage() {
  const [filter, setFilter] = useFilter();
  const { folders } = useFolders();
  const list = useDocumentList(useDeferredValue(filter));
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const counts = list.data?.pages[0]?.counts ?? {};
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<DocumentDialog | null>(null);
  const [pasted, setPasted] = useState<string | null>(null);
  const { add, limits } = useAddFiles(filter.folder_id);
  const place = pathWords(folders, filter.folder_id);
  const show = (next: Filter) => {
    setSelected(new Set()); // what is out of sight must not be moved or deleted along
    setFilter(next);
  };
  const openFolder = (folder_id: string | null) => show({ ...filter, folder_id, status: null });

  return (
    <DropArea place={place} onFiles={add} onText={setPasted}>
      <div className={styles.page}>
        <ListHeader
          q={filter.q}
          limits={limits}
          onSearch={(q) => show({ ...filter, q })}
          onFiles={add}
          onPaste={() => setPasted("")}
        />
        <div className={styles.body}>
          <FolderTree current={filter.folder_id} onOpen={openFolder} />
          <section className={styles.main} aria-label={place}>
            <FolderSelect current={filter.folder_id} onOpen={openFolder} />
            <UploadTray folders={folders} />
            {(total > 0 || filter.status !== null) && (
              <FilterChips counts={counts} filter={filter} onChange={show} />
            )}
            <ListBody
              list={list}
              rows={rows}
              total={total}
              filter={filter}
              folders={folders}
              limits={limits}
              selected={selected}
              onSelect={setSelected}
              onFilter={show}
              onDialog={setDialog}
              onFiles={add}
              onPaste={() => setPasted("")}
            />
          </section>
        </div>
        <SelectionBar
          chosen={rows.filter((row) => selected.has(row.id))}
          onClear={() => setSelected(new Set())}
          onDialog={setDialog}
        />
      </div>
      <DocumentDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        onDone={() => setSelected(new Set())}
      />
      {pasted !== null && (
        <PasteDialog initial={pasted} place={place} onAdd={add} onClose={() => setPasted(null)} />
      )}
    </DropArea>
  );
}

/** The filter in the address bar. Typing replaces the entry, so that Back leaves the page at once. */
function useFilter(): [Filter, (filter: Filter) => void] {
  const search = useSearch();
  const [, navigate] = useLocation();
  const filter = useMemo(() => readFilter(new URLSearchParams(search)), [search]);
  const set = (next: Filter) =>
    navigate(`/documents${writeFilter(next)}`, { replace: next.folder_id === filter.folder_id });
  return [filter, set];
}
