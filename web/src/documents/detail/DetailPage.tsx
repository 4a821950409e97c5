import { useState } from "react";
import { Link, useLocation } from "wouter";
import { ApiError } from "@/api/client";
import type { Document } from "@/api/types";
import { EmptyState } from "@/ui/EmptyState";
import { LoadError } from "@/ui/LoadError";
import { PageSkeleton } from "@/viewer/PageSkeleton";
import { type DocumentDialog, DocumentDialogs } from "../DocumentDialogs";
import { useDocument } from "../queries";
import { DetailBody } from "./DetailBody";
import { DetailHeader } from "./DetailHeader";
import styles from "./DetailPage.module.css";

/** One document: its original beside its passages, its facts and who may see it. */
export function DetailPage({ id }: { id: string }) {
  const document = useDocument(id);
  const { data, error } = document;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        isPage
        title="There is no such document"
        action={<Link href="/documents">All documents</Link>}
      >
        It was deleted, or it was never shared with you.
      </EmptyState>
    );
  }
  if (error && !data) return <LoadError isPage title="The document did not load" query={document} />;
  return data ? (
    <Loaded document={data} />
  ) : (
    <div className={styles.loading}>
      <PageSkeleton />
    </div>
  );
}

function Loaded({ document }: { document: Document }) {
  const [dialog, setDialog] = useState<DocumentDialog | null>(null);
  const [, navigate] = useLocation();
  return (
    <div className={styles.page}>
      <DetailHeader document={document} onDialog={setDialog} />
      <DetailBody document={document} onDialog={setDialog} />
      <DocumentDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        onDone={({ kind }) => kind === "delete" && navigate("/documents")}
      />
    </div>
  );
}
