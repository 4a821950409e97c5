/** Looks at files before they are sent, with the server's own limits, and says what is wrong in a sentence. */
import { acceptedWords } from "@/api/accepted";
import { bytes } from "./words";

export interface Limits {
  max_upload_bytes: number;
  accepted: readonly string[];
}

export interface Candidate {
  name: string;
  size: number;
}

/** ".pdf" of "Report.PDF"; empty without one. */
export function extension(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot).toLowerCase();
}

/** Why the file cannot be added, or null. The server decides again, by the content. */
export function refusal(file: Candidate, limits: Limits): string | null {
  if (file.size === 0) return `${file.name} is empty (0 bytes). Check the file and add it again.`;
  if (!limits.accepted.includes(extension(file.name))) {
    const kind = extension(file.name) ? `${extension(file.name)} files` : "files without an ending";
    return `${file.name} was not added: ${kind} cannot be read. Accepted are ${acceptedWords(limits.accepted)}.`;
  }
  if (file.size > limits.max_upload_bytes) {
    return `${file.name} has ${bytes(file.size)}; the limit is ${bytes(limits.max_upload_bytes)}. Split it and add the parts.`;
  }
  return null;
}

const FORBIDDEN = /[\\/:*?"<>|\p{Cc}]+/gu;
const TITLE_LENGTH = 60;

/** A file name for pasted text: its first line, shortened at a word. */
export function pasteName(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  const clean = line
    .replace(/^#+\s*/, "")
    .replace(FORBIDDEN, " ")
    .replace(/\s+/g, " ")
    .trim();
  const short = clean.length <= TITLE_LENGTH ? clean : clean.slice(0, TITLE_LENGTH).replace(/\s\S*$/, "");
  return `${short.replace(/[.\s]+$/, "") || "Pasted text"}.txt`;
}
