// Generated from the server's schemas by `make types`; never edited.

export type Acceptance = {
  token: string;
  email?: string | null;
  name?: string;
  password: string;
};

export type AcceptedOut = {
  id: string | null;
  name: string;
  status: "pending" | "processing" | "completed" | "partial" | "failed" | "cancelled" | "needs_ocr" | "refused";
  version?: number;
  duplicate: boolean;
  duplicate_of?: DuplicateOf | null;
  error?: Record<string, string> | null;
};

export type ActiveOut = {
  label: string;
  detail: string;
};

export type BlockOut = {
  ordinal: number;
  text: string;
  kind: string;
  level: number;
  bbox: [number, number, number, number] | null;
};

export type BoxOut = {
  page: number;
  bbox: [number, number, number, number];
};

export type ChatModelOut = {
  kind: "extractive" | "endpoint";
  label: string;
};

export type ChoiceOut = {
  value: string;
  label: string;
};

export type ChunkOut = {
  id: string;
  ordinal: number;
  text: string;
  heading_path: string[];
  page_start: number | null;
  page_end: number | null;
  block_start: number;
  block_end: number;
};

export type Credentials = {
  email: string;
  password: string;
};

export type DocumentErrorOut = {
  class: string;
  message: string;
  hint: string | null;
};

export type DocumentOut = {
  id: string;
  name: string;
  folder_id: string | null;
  status: "pending" | "processing" | "completed" | "partial" | "failed" | "cancelled" | "needs_ocr";
  stage: "queued" | "parsing" | "chunking" | "embedding" | "linking" | "done";
  media_type: string;
  size_bytes: number;
  pages: number | null;
  chunks: number | null;
  characters: number | null;
  language: string | null;
  parser: string | null;
  visibility: string;
  owner: Named;
  version: number;
  progress: ProgressOut | null;
  warnings: WarningOut[];
  error: DocumentErrorOut | null;
  seconds: Record<string, number | null>;
  searchable: boolean;
  title: string | null;
  created_at: string;
  updated_at: string;
};

export type DocumentPatch = {
  name?: string | null;
  folder_id?: string | null;
  visibility?: "private" | "workspace" | "public" | null;
};

export type DocumentsOut = {
  items: DocumentOut[];
  next_cursor: string | null;
  counts: Record<string, number>;
};

export type DuplicateOf = {
  id: string;
  name: string;
  folder_id: string | null;
};

export type EmbeddingModelOut = {
  label: string;
};

export type ErrorBody = {
  code: string;
  message: string;
  request_id: string;
  detail?: unknown;
};

export type ErrorOut = {
  error: ErrorBody;
};

export type FactOut = {
  label: string;
  value: string;
};

export type FieldOut = {
  name: string;
  label: string;
  help: string;
  kind: "text" | "url" | "secret" | "number" | "choice" | "boolean";
  choices?: ChoiceOut[] | null;
  default: string | boolean | number | null;
  value: string | boolean | number | null;
  changed: boolean;
  is_set?: boolean;
  lost?: boolean;
  placeholder?: string | null;
  min?: number | null;
  max?: number | null;
};

export type FolderIn = {
  name: string;
  parent_id?: string | null;
};

export type FolderOut = {
  id: string;
  name: string;
  parent_id: string | null;
  documents: number;
};

export type FolderPatch = {
  name?: string | null;
  parent_id?: string | null;
};

export type GroundingOut = {
  state: "grounded" | "partly" | "general" | "none";
  reasons: string[];
  unsupported: string[];
};

export type InvitationCheckOut = {
  kind: "owner" | "member" | "reset";
  email: string | null;
  role: "owner" | "admin" | "member" | "reader";
  workspace: string;
};

export type InvitationIn = {
  email: string;
  role?: "owner" | "admin" | "member" | "reader";
};

export type InvitationOut = {
  id: string;
  email: string | null;
  role: "owner" | "admin" | "member" | "reader";
  link?: string | null;
  expires_at: string;
};

export type Items_ChunkOut_ = {
  items: ChunkOut[];
  next_cursor?: string | null;
};

export type Items_FolderOut_ = {
  items: FolderOut[];
  next_cursor?: string | null;
};

export type Items_InvitationOut_ = {
  items: InvitationOut[];
  next_cursor?: string | null;
};

export type Items_MemberOut_ = {
  items: MemberOut[];
  next_cursor?: string | null;
};

export type Items_ThreadOut_ = {
  items: ThreadOut[];
  next_cursor?: string | null;
};

export type LimitsOut = {
  max_upload_bytes: number;
  accepted: string[];
};

export type MeOut = {
  user: UserOut;
  workspace: Named;
  models: ModelsOut;
  limits: LimitsOut;
};

export type MemberOut = {
  id: string;
  email: string;
  name: string;
  role: "owner" | "admin" | "member" | "reader";
  disabled: boolean;
  created_at: string;
};

export type MemberPatch = {
  role?: "owner" | "admin" | "member" | "reader" | null;
  disabled?: boolean | null;
};

export type MessageIn = {
  content: string;
};

export type MessageOut = {
  id: string;
  role: "user" | "assistant";
  kind: "question" | "answer" | "refusal" | "error" | "stopped";
  content: string;
  sources: SourceOut[];
  grounding: GroundingOut | null;
  trace: ToolOut[];
  model: string | null;
  finish: "complete" | "stopped" | "length" | null;
  error: RunErrorOut | null;
  ms: number | null;
  created_at: string;
};

export type ModelsOut = {
  chat: ChatModelOut;
  embedding: EmbeddingModelOut;
};

export type Named = {
  id: string;
  name: string;
};

export type PageOut = {
  page: number;
  pages: number;
  width: number | null;
  height: number | null;
  blocks: BlockOut[];
};

export type PassageOut = {
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
  block_start: number;
  block_end: number;
  viewer_page: number;
  boxes: BoxOut[];
};

export type ProbeIn = {
  section: "chat" | "embedding" | "rerank";
  values?: Record<string, unknown>;
};

export type ProbeOut = {
  ok: boolean;
  message: string;
  latency_ms: number | null;
  model: string | null;
  facts: FactOut[];
};

export type ProgressOut = {
  done: number;
  total: number;
  unit: "pages" | "chunks";
};

export type RanksOut = {
  dense: number | null;
  keyword: number | null;
  graph: number | null;
};

export type ReceiptOut = {
  document_id: string;
  name: string;
  deleted: Record<string, number>;
};

export type ResetLinkOut = {
  link: string;
  expires_at: string;
};

export type ResultOut = {
  chunk_id: string;
  document_id: string;
  version: number;
  name: string;
  title: string | null;
  page_start: number | null;
  page_end: number | null;
  heading_path: string[];
  text: string;
  score: number;
  ranks: RanksOut;
};

export type RunErrorOut = {
  code: string;
  message: string;
};

export type RunRef = {
  id: string;
};

export type SearchFilters = {
  document_ids?: string[];
  folder_id?: string | null;
  media_type?: string | null;
};

export type SearchIn = {
  query: string;
  k?: number;
  filters?: SearchFilters;
  explain?: boolean;
};

export type SearchOut = {
  grounding: "grounded" | "partly" | "none";
  reasons: string[];
  results: ResultOut[];
  counts: Record<string, number>;
  timings_ms: Record<string, number>;
  trace?: Record<string, unknown>[] | null;
};

export type SectionOut = {
  id: "chat" | "embedding" | "rerank" | "retrieval" | "uploads";
  title: string;
  help: string;
  active: ActiveOut | null;
  fields: FieldOut[];
};

export type ServerOut = {
  name: string;
  base_url: string;
  models: string[];
};

export type ServersOut = {
  servers: ServerOut[];
};

export type SessionOut = {
  access_token: string;
  user: UserOut;
};

export type SettingsIn = {
  values: Record<string, unknown>;
};

export type SettingsOut = {
  sections: SectionOut[];
};

export type SetupOut = {
  needs_owner: boolean;
};

export type SourceOut = {
  n: number;
  document_id: string;
  chunk_id: string;
  version: number;
  name: string;
  title: string | null;
  page_start: number | null;
  page_end: number | null;
  heading_path: string[];
  snippet?: string | null;
  deleted?: boolean;
};

export type SuggestionsOut = {
  questions: string[];
};

export type ThreadDetailOut = {
  id: string;
  title: string;
  created_at: string;
  updated_at: string;
  messages: MessageOut[];
  active_run: RunRef | null;
};

export type ThreadIn = {
  title?: string;
};

export type ThreadOut = {
  id: string;
  title: string;
  created_at: string;
  updated_at: string;
};

export type ThreadPatch = {
  title: string;
};

export type TokenIn = {
  token: string;
};

export type ToolOut = {
  id: string;
  name: string;
  state: "started" | "progress" | "done" | "failed";
  arguments: Record<string, unknown>;
  result?: Record<string, unknown> | null;
  ms?: number | null;
  parent_id?: string | null;
};

export type Uploads = AcceptedOut[];

export type UserOut = {
  id: string;
  email: string;
  name: string;
  role: "owner" | "admin" | "member" | "reader";
};

export type WarningOut = {
  code: string;
  message: string;
  page?: number | null;
};
