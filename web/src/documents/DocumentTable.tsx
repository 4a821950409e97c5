import { Cell, Column, Row, Table, TableBody, TableHeader } from "react-aria-components";
import type { Document, Folder } from "@/api/types";
import { classes } from "@/ui/classes";
import { Icon } from "@/ui/Icon";
import type { DocumentDialog } from "./DocumentDialogs";
import styles from "./DocumentTable.module.css";
import { useLiveDocument } from "./queries";
import { RowCheckbox } from "./RowCheckbox";
import { RowMenu } from "./RowMenu";
import { StateCell } from "./StateCell";
import { pathWords } from "./tree";
import { readSort, writeSort } from "./view";
import { number, problemOf, visibilityWords, when } from "./words";

type DocumentTableProps = {
  rows: readonly Document[];
  /** Named under each document; none inside a folder, where they would all say the same. */
  folders: readonly Folder[];
  sort: string;
  onSort: (sort: string) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  onDialog: (dialog: DocumentDialog) => void;
};

export function DocumentTable({
  rows,
  folders,
  sort,
  onSort,
  selected,
  onSelect,
  onDialog,
}: DocumentTableProps) {
  return (
    <Table
      aria-label="Documents"
      className={styles.table}
      selectionMode="multiple"
      selectedKeys={selected}
      onSelectionChange={(keys) =>
        onSelect(keys === "all" ? new Set(rows.map(({ id }) => id)) : new Set([...keys].map(String)))
      }
      sortDescriptor={readSort(sort)}
      onSortChange={({ column, direction }) =>
        onSort(writeSort({ column: String(column), direction: direction ?? "ascending" }))
      }
    >
      <TableHeader className={styles.head}>
        <Column className={styles.check}>
          <RowCheckbox />
        </Column>
        <Head id="name" isRowHeader>
          Name
        </Head>
        <Column className={styles.state}>State</Column>
        <Head id="pages" isFigure>
          Pages
        </Head>
        <Head id="chunks" isFigure>
          Passages
        </Head>
        <Column className={styles.seen}>Seen by</Column>
        <Head id="created_at">Added</Head>
        <Column className={styles.menu}>
          <span className="visually-hidden">Actions</span>
        </Column>
      </TableHeader>
      <TableBody items={rows} dependencies={[folders]}>
        {(row) => <DocumentRow row={row} folders={folders} onDialog={onDialog} />}
      </TableBody>
    </Table>
  );
}

type HeadProps = { id: string; isRowHeader?: boolean; isFigure?: boolean; children: string };

function Head({ id, isRowHeader, isFigure, children }: HeadProps) {
  return (
    <Column id={id} isRowHeader={isRowHeader} allowsSorting className={isFigure ? styles.figure : undefined}>
      {({ sortDirection }) => (
        <span className={styles.sort} data-direction={sortDirection}>
          {children}
          <Icon name="chevron" size={14} />
        </span>
      )}
    </Column>
  );
}

/** A number in its column; where columns have no room it brings its noun. */
function Figure({ value, noun }: { value: number | null; noun: string }) {
  return (
    <Cell className={classes(styles.figure, value === null && styles.blank)}>
      {value !== null && (
        <>
          {number(value)}
          <span className={styles.noun}> {value === 1 ? noun : `${noun}s`}</span>
        </>
      )}
    </Cell>
  );
}

type DocumentRowProps = {
  row: Document;
  folders: readonly Folder[];
  onDialog: (dialog: DocumentDialog) => void;
};

function DocumentRow({ row, folders, onDialog }: DocumentRowProps) {
  const document = useLiveDocument(row);
  const seen = visibilityWords(document.visibility);
  return (
    <Row
      id={row.id}
      href={`/documents/${row.id}`}
      textValue={document.name}
      className={classes(styles.row, problemOf(document) && styles.troubled)}
    >
      <Cell className={styles.check}>
        <RowCheckbox />
      </Cell>
      <Cell className={styles.nameCell}>
        <span className={styles.name} title={document.name}>
          {document.name}
        </span>
        {document.folder_id && folders.length > 0 && (
          <span className={styles.place}>{pathWords(folders, document.folder_id)}</span>
        )}
      </Cell>
      <Cell className={styles.state}>
        <StateCell document={document} onDelete={() => onDialog({ kind: "delete", documents: [document] })} />
      </Cell>
      <Figure value={document.pages} noun="page" />
      <Figure value={document.chunks || null} noun="passage" />
      <Cell className={styles.seen}>
        <span className={styles.sight} title={seen.help}>
          <Icon name={seen.icon} size={15} />
          {seen.label}
        </span>
      </Cell>
      <Cell className={styles.added}>{when(document.created_at, new Date())}</Cell>
      <Cell className={styles.menu}>
        <RowMenu document={document} onDialog={onDialog} />
      </Cell>
    </Row>
  );
}
