import { toError } from "./client";
import type { Uploaded } from "./types";

type UploadOptions = { folderId?: string | null; onProgress?: (share: number) => void; signal?: AbortSignal };

/** Uploads one file. XMLHttpRequest, because fetch cannot tell how much has been sent. Throws `ApiError`. */
export function uploadDocument(file: File, options: UploadOptions = {}): Promise<Uploaded> {
  const form = new FormData();
  if (options.folderId) form.set("folder_id", options.folderId);
  form.set("file", file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/documents");
    request.upload.onprogress = (event) => options.onProgress?.(event.loaded / event.total);
    request.onerror = () => reject(toError(503, ""));
    request.onabort = () => reject(new DOMException("Upload cancelled", "AbortError"));
    request.onload = () => {
      if (request.status >= 300) return reject(toError(request.status, request.responseText));
      const [first] = JSON.parse(request.responseText) as Uploaded[];
      first ? resolve(first) : reject(toError(500, ""));
    };
    options.signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
