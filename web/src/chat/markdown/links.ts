const SAFE = /^(?:https?:|mailto:)/i;

/** The address if a page may link to it, else null: web and mail only, so never `javascript:`. */
export function safeLink(href: string): string | null {
  const trimmed = href.trim();
  return SAFE.test(trimmed) ? trimmed : null;
}
