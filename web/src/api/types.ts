/** The shapes of the HTTP API, named as the server names them. */

export type Role = "owner" | "admin" | "member" | "reader";
export type User = { id: string; email: string; name: string; role: Role };
export type Person = User & { disabled: boolean; created_at: string };

export type Me = {
  user: User;
  workspace: { id: string; name: string };
  models: { chat: { kind: "extractive" | "endpoint"; label: string }; embedding: { label: string } };
  limits: { max_upload_bytes: number; accepted: string[] };
};

export type Session = { access_token: string; user: User };
export type Invited = { kind: "owner" | "member"; email?: string | null; role: Role; workspace: string };
export type Invitation = { id: string; email: string; role: Role; link?: string; expires_at: string };

export type Page<T> = { items: T[]; next_cursor: string | null };

export type DocumentStatus =
  | "pending"
  | "processing"
  | "completed"
  | "partial"
  | "failed"
  | "cancelled"
  | "needs_ocr";
export type DocumentStage = "queued" | "parsing" | "chunking" | "embedding" | "linking" | "done";

export type Document = {
  id: string;
  name: string;
  folder_id: string | null;
  status: DocumentStatus;
  stage: DocumentStage;
  media_type: string;
  size_bytes: number;
  pages: number | null;
  chunks: number | null;
  characters: number | null;
  language: string | null;
  parser: string | null;
  visibility: string;
  owner: { id: string; name: string };
  version: number;
  progress: { done: number; total: number; unit: "pages" | "chunks" } | null;
  warnings: { code: string; message: string; page?: number | null }[];
  error: { class: string; message: string; hint: string } | null;
  seconds: { parsing?: number; chunking?: number; embedding?: number };
  created_at: string;
  updated_at: string;
};

export type DocumentList = Page<Document> & { counts: Partial<Record<DocumentStatus, number>> };

export type Uploaded = {
  id: string;
  name: string;
  status: DocumentStatus;
  duplicate: boolean;
  duplicate_of?: { id: string; name: string; folder_id: string | null };
};

export type Receipt = {
  document_id: string;
  name: string;
  deleted: { chunks: number; vectors: number; blocks: number; blobs: number; jobs: number };
};

export type Chunk = {
  id: string;
  ordinal: number;
  text: string;
  heading_path: string[];
  page_start: number | null;
  page_end: number | null;
  block_start: number;
  block_end: number;
};

/** x0, y0, x1, y1 in points from the top left corner of the page. */
export type Box = [number, number, number, number];

export type DocumentPage = {
  page: number;
  pages: number;
  width: number | null;
  height: number | null;
  blocks: { ordinal: number; text: string; kind: string; level: number; bbox: Box | null }[];
};

export type Passage = {
  chunk_id: string;
  document_id: string;
  name: string;
  media_type: string;
  version: number;
  state: "current" | "superseded" | "deleted";
  text: string;
  heading_path: string[];
  page_start: number | null;
  page_end: number | null;
  block_start: number | null;
  block_end: number | null;
  viewer_page: number | null;
  boxes: { page: number; bbox: Box }[];
};

export type Folder = { id: string; name: string; parent_id: string | null; documents: number };

export type Thread = { id: string; title: string; created_at: string; updated_at: string };

export type Source = {
  n: number;
  document_id: string;
  chunk_id: string;
  version: number;
  name: string;
  title: string | null;
  page_start: number | null;
  page_end: number | null;
  heading_path: string[];
  url?: string | null;
  /** The passage's first words. */
  snippet?: string;
};

export type GroundingState = "grounded" | "partly" | "general" | "none";
export type Grounding = { state: GroundingState; reasons: string[]; unsupported: string[] };

export type SearchResult = {
  passages: number;
  documents: number;
  counts: Record<string, number>;
  grounding?: string;
  timings_ms?: Record<string, number>;
  top?: { n: number; name: string; page_start: number | null }[];
};

export type ToolCall = {
  id: string;
  parent_id?: string | null;
  name: string;
  state: "started" | "progress" | "done" | "failed";
  arguments?: Record<string, unknown>;
  result?: Partial<SearchResult> & Record<string, unknown>;
  ms?: number;
};

export type Message = {
  id: string;
  role: "user" | "assistant";
  kind: "question" | "answer" | "refusal" | "error" | "stopped";
  content: string;
  sources: Source[];
  grounding: Grounding | null;
  trace: ToolCall[];
  model: string | null;
  finish: "complete" | "stopped" | "length" | null;
  error: { code: string; message: string } | null;
  created_at: string;
  ms: number | null;
};

export type ThreadDetail = Thread & { messages: Message[]; active_run: { id: string } | null };

export type SettingField = {
  name: string;
  label: string;
  help: string;
  kind: "text" | "url" | "secret" | "number" | "choice" | "boolean";
  choices?: { value: string; label: string }[];
  default: SettingValue;
  value: SettingValue;
  changed: boolean;
  is_set?: boolean;
  placeholder?: string;
  min?: number;
  max?: number;
};

export type SettingValue = string | number | boolean | null;

export type SettingSection = {
  id: "chat" | "embedding" | "rerank" | "retrieval" | "uploads";
  title: string;
  help: string;
  active: { label: string; detail: string } | null;
  fields: SettingField[];
};

export type Settings = { sections: SettingSection[] };
export type Probe = {
  ok: boolean;
  message: string;
  latency_ms: number | null;
  model: string | null;
  facts: { label: string; value: string }[];
};
export type DetectedServers = { servers: { name: string; base_url: string; models: string[] }[] };
