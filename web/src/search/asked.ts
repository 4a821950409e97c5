/** A search as the address holds it, so that a reload, a link and the way back show the same. */

export type Asked = {
  query: string;
  k: number;
  folder: string | null;
  documents: string[];
  type: string | null;
  /** A media type. */
  file: string | null;
  language: string | null;
  topic: string | null;
  since: string | null;
  until: string | null;
};

export const SIZES = [5, 8, 12, 20, 50] as const;
const USUAL = 8;
const DAY = /^\d{4}-\d\d-\d\d$/;

export function readAsked(params: URLSearchParams): Asked {
  const k = Number(params.get("k"));
  return {
    query: (params.get("q") ?? "").trim(),
    k: Number.isInteger(k) && k >= 1 && k <= 50 ? k : USUAL,
    folder: params.get("folder"),
    documents: params.getAll("document"),
    type: params.get("type"),
    file: params.get("file"),
    language: params.get("language"),
    topic: params.get("topic"),
    since: dayOf(params.get("since")),
    until: dayOf(params.get("until")),
  };
}

export function writeAsked(asked: Asked): URLSearchParams {
  const params = new URLSearchParams();
  if (asked.query) params.set("q", asked.query);
  if (asked.k !== USUAL) params.set("k", String(asked.k));
  for (const name of ["folder", "type", "file", "language", "topic", "since", "until"] as const) {
    const value = asked[name];
    if (value) params.set(name, value);
  }
  for (const id of asked.documents) params.append("document", id);
  return params;
}

/** The body of /api/search: days are the reader's own. */
export function bodyOf(asked: Asked) {
  return {
    query: asked.query,
    k: asked.k,
    filters: {
      document_ids: asked.documents,
      folder_id: asked.folder,
      languages: list(asked.language),
      types: list(asked.type),
      media_types: list(asked.file),
      topics: list(asked.topic),
      since: asked.since,
      until: asked.until,
      ...(asked.since || asked.until
        ? { time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC" }
        : {}),
    },
  };
}

/** How many filters are on. */
export function filterCount(asked: Asked): number {
  const single = [
    asked.folder,
    asked.type,
    asked.file,
    asked.language,
    asked.topic,
    asked.since,
    asked.until,
  ];
  return single.filter(Boolean).length + asked.documents.length;
}

export function withoutFilters(asked: Asked): Asked {
  return {
    ...asked,
    folder: null,
    documents: [],
    type: null,
    file: null,
    language: null,
    topic: null,
    since: null,
    until: null,
  };
}

function dayOf(value: string | null): string | null {
  return value && DAY.test(value) ? value : null;
}

function list(value: string | null): string[] {
  return value ? [value] : [];
}
