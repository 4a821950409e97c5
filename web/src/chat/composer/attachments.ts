/** Files that came with a question: from the drop to the moment they can be searched. */

import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { acceptedWords } from "@/api/accepted";
import { ApiError, api, sentence } from "@/api/client";
import { keys } from "@/api/keys";
import type { Document, Me } from "@/api/types";
import { uploadDocument } from "@/api/upload";

type Upload = { key: number; name: string; share: number; documentId: string | null; error: string | null };

export type Attachment = {
  key: number;
  name: string;
  state: "uploading" | "reading" | "ready" | "failed";
  /** 0 to 1, or null while the total is unknown. */
  share: number | null;
  words: string;
};

let nextKey = 1;

/** `limits` is null for a guest, who adds nothing. */
export function useAttachments(limits: Me["limits"] | null) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const documents = useDocuments(uploads);
  const update = (key: number, change: Partial<Upload>) =>
    setUploads((now) => now.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)));

  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const key = nextKey++;
      const error = limits && refusal(file, limits);
      setUploads((now) => [...now, { key, name: file.name, share: 0, documentId: null, error }]);
      if (error) continue;
      uploadDocument(file, { onProgress: (share) => update(key, { share }) }).then(
        (uploaded) => update(key, { documentId: uploaded.id, share: 1 }),
        (cause) => update(key, { error: sentence(cause) }),
      );
    }
  };
  return {
    attachments: uploads.map((upload) => toAttachment(upload, documents.get(upload.documentId ?? ""))),
    add: limits && add,
    remove: (key: number) => setUploads((now) => now.filter((upload) => upload.key !== key)),
    clear: () => setUploads([]),
  };
}

function useDocuments(uploads: readonly Upload[]): Map<string, Document | ApiError> {
  const ids = [...new Set(uploads.flatMap((upload) => upload.documentId ?? []))];
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: keys.document(id),
      queryFn: () => api.get<Document>(`/api/documents/${id}`),
      staleTime: 0,
    })),
    combine: (results) =>
      new Map(
        results.flatMap((result, index): [string, Document | ApiError][] => {
          const found = result.data ?? (result.error instanceof ApiError ? result.error : null);
          return found ? [[ids[index] as string, found]] : [];
        }),
      ),
  });
}

/** Why a file need not be sent at all, or null. The server checks again. */
export function refusal(file: { name: string; size: number }, limits: Me["limits"]): string | null {
  if (file.size === 0) return "This file is empty.";
  if (file.size > limits.max_upload_bytes) {
    return `Larger than ${Math.round(limits.max_upload_bytes / 1024 / 1024)} MB, the most one file may have.`;
  }
  const name = file.name.toLowerCase();
  if (!limits.accepted.some((ending) => name.endsWith(ending))) {
    return `Ibid cannot read files of this kind. It reads ${acceptedWords(limits.accepted)}.`;
  }
  return null;
}

export function toAttachment(upload: Upload, document: Document | ApiError | undefined): Attachment {
  const { key, name, error, documentId } = upload;
  if (error) return { key, name, state: "failed", share: null, words: error };
  if (document instanceof ApiError)
    return { key, name, state: "failed", share: null, words: document.message };
  if (documentId === null) return { key, name, state: "uploading", share: upload.share, words: "uploading" };
  if (!document) return { key, name, state: "reading", share: null, words: "waiting to be read" };
  return { key, name, ...progressOf(document) };
}

const DOING: Record<string, string> = {
  queued: "waiting to be read",
  parsing: "reading",
  chunking: "cutting into passages",
  embedding: "making it searchable",
  linking: "finishing",
};

function progressOf(document: Document): Pick<Attachment, "state" | "share" | "words"> {
  switch (document.status) {
    case "completed":
    case "partial":
      return { state: "ready", share: 1, words: "ready" };
    case "failed":
    case "needs_ocr":
    case "cancelled": {
      const words = document.error
        ? `${document.error.message} ${document.error.hint}`
        : "It could not be read.";
      return { state: "failed", share: null, words: words.trim() };
    }
    default: {
      const { progress } = document;
      const doing = DOING[document.stage] ?? "working";
      if (!progress || progress.total === 0) return { state: "reading", share: null, words: doing };
      const unit = progress.unit === "pages" ? "page" : "passage";
      const words = `${doing}, ${unit} ${progress.done} of ${progress.total}`;
      return { state: "reading", share: progress.done / progress.total, words };
    }
  }
}
