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

export type AccessOut = {
  document_id: string;
  visibility: string;
  use: string;
  trust: number;
  owner: Named;
  own: boolean;
  guests: boolean;
  complete: boolean;
  people: AccessPersonOut[];
};

export type AccessPersonOut = {
  id: string;
  name: string;
  email: string;
  role: string;
  why: "owner" | "shared" | "workspace" | "public";
};

export type ActiveOut = {
  label: string;
  detail: string;
};

export type AnalysisIn = {
  task: "summarise" | "compare" | "classify" | "extract";
  instruction?: string;
  other_document_id?: string | null;
};

export type AnalysisOut = {
  text: string;
  sources: SourceOut[];
  grounding: GroundingOut;
  trace: ToolOut[];
  model: string;
};

export type AudienceOut = {
  least_trust: number;
};

export type AudiencesIn = {
  public?: number | null;
  member?: number | null;
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

export type CandidateOut = {
  chunk_id: string;
  document_id: string;
  name?: string | null;
  page_start?: number | null;
  snippet?: string | null;
  score: number;
  ranks: RanksOut;
  shares: Record<string, number>;
  similarity: number | null;
  coverage: number | null;
  evidence?: "sure" | "likely" | null;
  fate: "shown" | "below_floor" | "over_cap" | "beyond_k" | "reranked_out" | "judged_out" | "gone";
  fused: number | null;
  place: number | null;
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

export type DecisionIn = {
  source: string;
  target: string;
};

export type DecisionOut = {
  id: string;
  kind: "merge" | "split";
  source: string;
  target: string;
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
  summary: string | null;
  topics: string[];
  type: string | null;
  date: string | null;
  tables: number | null;
  blank_pages: number[];
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

export type EntityDetailOut = {
  id: string;
  name: string;
  kind: string;
  sense: string;
  aliases: string[];
  support: number;
  documents: number;
  names: NameOut[];
  neighbours: NeighbourOut[];
  passages: MentionOut[];
};

export type EntityOut = {
  id: string;
  name: string;
  kind: string;
  sense: string;
  aliases: string[];
  support: number;
  documents: number;
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

export type FeedbackIn = {
  rating: "up" | "down" | null;
  reason?: string;
};

export type FeedbackOut = {
  rating: "up" | "down" | null;
  reason: string;
};

export type FieldOut = {
  name: string;
  label: string;
  help: string;
  kind: "text" | "lines" | "url" | "secret" | "number" | "choice" | "boolean";
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

export type GapOut = {
  id: string;
  question: string;
  thread_id: string | null;
  times: number;
  people: number;
  state: "open" | "done" | "ignored";
  asked_at: string;
};

export type GapPatch = {
  state: "open" | "done" | "ignored";
};

export type GatedOut = {
  use: number;
  trust: number;
  redaction: number;
};

export type GatesIn = {
  visibility?: "private" | "shared" | "workspace" | "public" | null;
  use?: "evidence" | "style" | null;
  trust?: number | null;
};

export type GatesOut = {
  audiences: Record<string, AudienceOut>;
  rules: RuleOut[];
};

export type GoldenIn = {
  question: string;
  document_ids: string[];
};

export type GoldenOut = {
  id: string;
  question: string;
  documents: Named[];
  hidden: number;
  own: boolean;
  created_at: string;
};

export type GoldenReportOut = {
  questions: number;
  skipped: number;
  metrics: Record<string, number>;
  ci95: Record<string, [number, number]>;
  results: GoldenResultOut[];
};

export type GoldenResultOut = {
  id: string;
  question: string;
  expected: Named[];
  found: Named[];
  rank: number | null;
  metrics: Record<string, number>;
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

export type Items_EntityOut_ = {
  items: EntityOut[];
  next_cursor?: string | null;
};

export type Items_FolderOut_ = {
  items: FolderOut[];
  next_cursor?: string | null;
};

export type Items_GapOut_ = {
  items: GapOut[];
  next_cursor?: string | null;
};

export type Items_GoldenOut_ = {
  items: GoldenOut[];
  next_cursor?: string | null;
};

export type Items_InvitationOut_ = {
  items: InvitationOut[];
  next_cursor?: string | null;
};

export type Items_LookalikeOut_ = {
  items: LookalikeOut[];
  next_cursor?: string | null;
};

export type Items_MemberOut_ = {
  items: MemberOut[];
  next_cursor?: string | null;
};

export type Items_MergeOut_ = {
  items: MergeOut[];
  next_cursor?: string | null;
};

export type Items_ThreadOut_ = {
  items: ThreadOut[];
  next_cursor?: string | null;
};

export type KeptSearchOut = {
  grounding: "grounded" | "partly" | "none";
  reasons: string[];
  counts: Record<string, number>;
  timings_ms: Record<string, number>;
  gated: GatedOut;
  relaxed: string[];
  id: string;
  thread_id: string;
  message_id: string;
  query: string;
  k: number;
  filters: Record<string, unknown>;
  considered: number;
  candidates: CandidateOut[];
  created_at: string;
};

export type LimitsOut = {
  max_upload_bytes: number;
  accepted: string[];
};

export type LookalikeOut = {
  source: EntityOut;
  target: EntityOut;
  similarity: number;
};

export type MadeOut = {
  id: string;
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

export type MentionOut = {
  chunk_id: string;
  document_id: string;
  document: string;
  title: string | null;
  page_start: number | null;
  heading_path: string[];
  text: string;
};

export type MergeOut = {
  id: string;
  kind: "merge" | "split";
  source: string;
  target: string;
  for_all: boolean;
  made_by: string | null;
  made_at: string;
  undone_at: string | null;
};

export type MessageGoldenIn = {
  document_ids?: string[];
};

export type MessageIn = {
  content: string;
  parent_id?: string | null;
  allow_web?: boolean;
};

export type MessageOut = {
  id: string;
  parent_id: string | null;
  siblings: SiblingsOut;
  excluded: boolean;
  feedback: FeedbackOut | null;
  search_ids: string[];
  role: "user" | "assistant";
  kind: "question" | "answer" | "refusal" | "error" | "stopped" | "tool" | "note" | "crisis" | "declined";
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

export type MessagePatch = {
  excluded: boolean;
};

export type ModelsOut = {
  chat: ChatModelOut;
  embedding: EmbeddingModelOut;
};

export type NameOut = {
  id: string;
  name: string;
};

export type Named = {
  id: string;
  name: string;
};

export type NeighbourOut = {
  id: string;
  name: string;
  kind: string;
  outgoing: boolean;
  support: number;
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

export type PersonOut = {
  id: string;
  name: string;
  email: string;
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
  exact?: number | null;
};

export type ReceiptOut = {
  document_id: string;
  name: string;
  deleted: Record<string, number>;
};

export type RegenerateIn = {
  allow_web?: boolean;
};

export type ReplayOut = {
  grounding: "grounded" | "partly" | "none";
  reasons: string[];
  counts: Record<string, number>;
  timings_ms: Record<string, number>;
  gated: GatedOut;
  relaxed: string[];
  results: ResultOut[];
  trace?: CandidateOut[] | null;
  same: boolean;
  added: string[];
  missing: string[];
};

export type RequestOut = {
  number: number;
  text: string;
  body: unknown | null;
  whole: boolean;
  for_admins: boolean;
  created_at: string;
};

export type RequestsOut = {
  items: RequestOut[];
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

export type RuleIn = {
  audience: "public" | "member";
  kind?: "name" | "pattern";
  value: string;
  note?: string;
};

export type RuleOut = {
  id: string;
  audience: "public" | "member";
  kind: "name" | "pattern";
  value: string;
  note: string;
  created_at: string;
};

export type RulePieceOut = {
  text: string;
  protected: boolean;
};

export type RuleTestIn = {
  kind?: "name" | "pattern";
  value: string;
  sample: string;
};

export type RuleTestOut = {
  pieces: RulePieceOut[];
};

export type RunErrorOut = {
  code: string;
  message: string;
};

export type RunRef = {
  id: string;
  message_id: string;
  parent_id: string | null;
};

export type SearchFilters = {
  document_ids?: string[];
  folder_id?: string | null;
  media_type?: string | null;
  media_types?: string[];
  languages?: string[];
  types?: string[];
  topics?: string[];
  since?: string | null;
  until?: string | null;
  time_zone?: string | null;
};

export type SearchIn = {
  query: string;
  k?: number;
  filters?: SearchFilters;
  explain?: boolean;
  relax?: boolean;
};

export type SearchOut = {
  grounding: "grounded" | "partly" | "none";
  reasons: string[];
  counts: Record<string, number>;
  timings_ms: Record<string, number>;
  gated: GatedOut;
  relaxed: string[];
  results: ResultOut[];
  trace?: CandidateOut[] | null;
};

export type SectionOut = {
  id: "chat" | "embedding" | "rerank" | "retrieval" | "graph" | "uploads" | "web" | "handover" | "guests" | "safety" | "debug";
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
  guests?: boolean;
};

export type SharesIn = {
  user_ids: string[];
};

export type SharesOut = {
  items: PersonOut[];
  colleagues: PersonOut[];
};

export type SiblingsOut = {
  index: number;
  count: number;
  ids: string[];
};

export type SourceOut = {
  n: number;
  document_id: string | null;
  chunk_id: string | null;
  version: number | null;
  name: string;
  url?: string | null;
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

export type WhyIn = {
  query: string;
  document_id: string;
  k?: number;
  filters?: SearchFilters;
};

export type WhyOut = {
  stage: string;
  reached: string[];
  remedy: string;
  detail: string;
  best: CandidateOut | null;
};
