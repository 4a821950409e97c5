/** Opens PDF documents with pdf.js, all of it from our own files, and shares an open one between its viewers. */
import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  TextLayer,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { send } from "@/api/client";

export { type PDFDocumentProxy, type PDFPageProxy, TextLayer };

/**
 * Hands pdf.js the files that only some PDFs need: fonts that they name but do not carry, tables for CJK text,
 * image decoders. Each address is spelled out, because that is how the bundler finds and renames them.
 */
class BundledFiles {
  async fetch({ filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const response = await fetch(addressOf(filename));
    if (!response.ok) throw new Error(`pdf.js asked for ${filename}, which is not in the bundle`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

function addressOf(filename: string): string {
  const dot = filename.lastIndexOf(".");
  const name = filename.slice(0, dot);
  switch (filename.slice(dot)) {
    case ".bcmap":
      return new URL(`../../node_modules/pdfjs-dist/cmaps/${name}.bcmap`, import.meta.url).href;
    case ".pfb":
      return new URL(`../../node_modules/pdfjs-dist/standard_fonts/${name}.pfb`, import.meta.url).href;
    case ".ttf":
      return new URL(`../../node_modules/pdfjs-dist/standard_fonts/${name}.ttf`, import.meta.url).href;
    default:
      return new URL(`../../node_modules/pdfjs-dist/wasm/${name}.wasm`, import.meta.url).href;
  }
}

interface Open {
  document: Promise<PDFDocumentProxy>;
  users: number;
  closing?: ReturnType<typeof setTimeout>;
}

// Long enough to step from one note to the next of the same file without reading it again.
const KEEP_OPEN_MS = 30_000;
const open = new Map<string, Open>();

async function load(documentId: string): Promise<PDFDocumentProxy> {
  GlobalWorkerOptions.workerSrc = workerUrl;
  const response = await send("GET", `/api/documents/${documentId}/original`, undefined, {
    headers: { Accept: "*/*" },
  });
  const task = getDocument({
    data: new Uint8Array(await response.arrayBuffer()),
    BinaryDataFactory: BundledFiles,
    useWorkerFetch: false,
    cMapPacked: true,
    enableXfa: false,
  });
  return task.promise;
}

/** The open document and a function that gives it back. Key it by version, so that a new one is read anew. */
export function acquire(documentId: string, version: number): [Promise<PDFDocumentProxy>, () => void] {
  const key = `${documentId}/${version}`;
  const known: Open = open.get(key) ?? { document: load(documentId), users: 0 };
  open.set(key, known);
  known.users += 1;
  clearTimeout(known.closing);
  known.document.catch(() => open.delete(key));
  const release = () => {
    known.users -= 1;
    if (known.users > 0) return;
    known.closing = setTimeout(() => {
      open.delete(key);
      known.document.then(
        (document) => void document.loadingTask.destroy(),
        () => undefined, // it never opened, and whoever asked for it has been told
      );
    }, KEEP_OPEN_MS);
  };
  return [known.document, release];
}
