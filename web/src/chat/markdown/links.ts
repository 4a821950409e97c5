const SAFE = /^(?:https?:|mailto:|tel:)/i;

/** The address if a page may link to it, else null: web, mail and telephone only, so never `javascript:`. */
export function safeLink(href: string): string | null {
  const trimmed = href.trim();
  return SAFE.test(trimmed) ? trimmed : null;
}
