/** The shapes of the HTTP API under the names the pages use. They come from the server; only events are written here. */
import type * as api from "./types.gen";

export type User = api.UserOut;
export type Role = User["role"];
export type Person = api.MemberOut;
export type Me = api.MeOut;
export type Session = api.SessionOut;
export type Invited = api.InvitationCheckOut;
export type Invitation = api.InvitationOut;
export type OneTimeLink = api.ResetLinkOut;

export type Page<T> = { items: T[]; next_cursor: string | null };

export type Document = api.DocumentOut;
export type DocumentStatus = Document["status"];
export type DocumentStage = Document["stage"];
export type DocumentList = api.DocumentsOut;
export type Uploaded = api.AcceptedOut;
export type Receipt = api.ReceiptOut;
export type Chunk = api.ChunkOut;
export type DocumentPage = api.PageOut;
/** Null where a whole document is shown, of which nothing is marked. */
type Unmarked = Record<"block_start" | "block_end" | "viewer_page", number | null>;
export type Passage = Omit<api.PassageOut, keyof Unmarked> & Unmarked;
/** x0, y0, x1, y1 in points from the top left corner of the page. */
export type Box = api.BoxOut["bbox"];
export type Folder = api.FolderOut;
/** Who can see a document, and why. */
export type Access = api.AccessOut;
export type Shares = api.SharesOut;
export type Gates = api.GatesOut;
export type Rule = api.RuleOut;
export type RuleTest = api.RuleTestOut;
/** A name in the documents, with what is known of it. */
export type Name = api.EntityOut;
export type NameDetail = api.EntityDetailOut;
export type Lookalike = api.LookalikeOut;
export type Decision = api.MergeOut;

export type Thread = api.ThreadOut;
export type ThreadDetail = api.ThreadDetailOut;
export type Message = api.MessageOut;
export type Siblings = api.SiblingsOut;
export type Feedback = api.FeedbackOut;
export type ActiveRun = api.RunRef;
/** A question that the documents did not answer. */
export type Gap = api.GapOut;
export type SentRequest = api.RequestOut;
export type Setup = api.SetupOut;
/** A page of the web has a `url` and neither document nor passage. */
export type Source = Omit<api.SourceOut, keyof Place> & Place;
type Place = {
  document_id: string | null;
  chunk_id: string | null;
  version: number | null;
  url?: string | null;
};
export type Grounding = api.GroundingOut;
export type GroundingState = Grounding["state"];

/** A tool at work, as its events tell it; what search_documents hands back is known. */
export type ToolCall = Omit<api.ToolOut, "arguments" | "result"> & {
  arguments?: Record<string, unknown>;
  result?: (Partial<SearchResult> & Record<string, unknown>) | null;
};
export type SearchResult = {
  passages: number;
  documents: number;
  counts: Record<string, number>;
  grounding?: string;
  timings_ms?: Record<string, number>;
  top?: { n: number; name: string; page_start?: number | null; url?: string }[];
};

export type Settings = api.SettingsOut;
export type SettingSection = api.SectionOut;
export type SettingField = api.FieldOut;
export type SettingValue = SettingField["value"];
export type Probe = api.ProbeOut;
export type DetectedServers = api.ServersOut;

export type SearchAnswer = api.SearchOut;
export type Hit = api.ResultOut;
export type Candidate = api.CandidateOut;
export type KeptSearch = api.KeptSearchOut;
export type Replayed = api.ReplayOut;
export type WhyAnswer = api.WhyOut;
export type Golden = api.GoldenOut;
export type GoldenReport = api.GoldenReportOut;
