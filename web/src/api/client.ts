/** One way to reach the server: JSON in, JSON out, and every failure an `ApiError` with a sentence. */

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly requestId: string | null = null,
    readonly detail: unknown = null,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

const UNREACHABLE =
  "Ibid does not answer. Check that it is running and that you are connected, then try again.";

type Options = { signal?: AbortSignal; headers?: Record<string, string>; keepalive?: boolean };

/** Sends a request and hands back its response; throws `ApiError` for anything but a 2xx. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  options: Options = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = {
    Accept: "application/json",
    "X-Time-Zone": Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC", // a day is the reader's own
    ...options.headers,
  };
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(path, {
      ...options,
      method,
      headers,
      credentials: "same-origin",
      body: body === undefined ? undefined : isForm ? body : JSON.stringify(body),
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError(UNREACHABLE, 0, "unreachable");
  }
  if (!response.ok) throw toError(response.status, await response.text());
  return response;
}

async function json<T>(method: string, path: string, body?: unknown, options?: Options): Promise<T> {
  const response = await send(method, path, body, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export const api = {
  get: <T>(path: string, options?: Options) => json<T>("GET", path, undefined, options),
  post: <T>(path: string, body?: unknown, options?: Options) => json<T>("POST", path, body, options),
  put: <T>(path: string, body?: unknown, options?: Options) => json<T>("PUT", path, body, options),
  patch: <T>(path: string, body?: unknown, options?: Options) => json<T>("PATCH", path, body, options),
  delete: <T = void>(path: string, options?: Options) => json<T>("DELETE", path, undefined, options),
};

/** Builds `?a=1&b=2`, leaving out what is null, undefined or empty. */
export function query(values: Record<string, string | number | boolean | null | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text && `?${text}`;
}

/** The sentence to show for anything that was thrown. */
export function sentence(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return "Something went wrong on this page. Reload it and try again.";
}

/** What the server says of single fields of a form (422), by name. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || error.detail === null || typeof error.detail !== "object") return {};
  return (error.detail as { fields?: Record<string, string> }).fields ?? {};
}

export function toError(status: number, body: string): ApiError {
  const parsed = parse(body);
  if (parsed)
    return new ApiError(parsed.message, status, parsed.code, parsed.request_id ?? null, parsed.detail);
  const gone = status === 502 || status === 503 || status === 504;
  return new ApiError(
    gone ? UNREACHABLE : `The server answered with an error (${status}). Try again in a moment.`,
    status,
    gone ? "unreachable" : "unknown",
  );
}

type ErrorBody = { code: string; message: string; request_id?: string; detail?: unknown };

function parse(body: string): ErrorBody | null {
  try {
    const error = (JSON.parse(body) as { error?: ErrorBody }).error;
    return error && typeof error.message === "string" ? error : null;
  } catch {
    return null;
  }
}
