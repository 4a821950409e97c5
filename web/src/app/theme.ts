/** Light, dark, or as the system says; kept in this browser. */
export type Theme = "system" | "light" | "dark";

const STORED_AS = "ibid-theme";

export function storedTheme(): Theme {
  const value = localStorage.getItem(STORED_AS);
  return value === "light" || value === "dark" ? value : "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED_AS, theme);
  applyTheme(theme);
}

export function nextTheme(theme: Theme): Theme {
  return theme === "system" ? "light" : theme === "light" ? "dark" : "system";
}
