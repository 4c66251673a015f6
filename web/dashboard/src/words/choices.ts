type Choice = "language" | "theme";

const yearSeconds = 31_536_000;

/**
 * The reader's choices on this device. A cookie, because the server writes color scheme and language into the page before any script runs.
 */
export function readChoice(name: Choice): string | null {
  return new RegExp(`(?:^|; )tillpost_${name}=([a-z]+)`).exec(document.cookie)?.[1] ?? null;
}

export function writeChoice(name: Choice, value: string | null): void {
  const secure = location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not there in all browsers that this page serves
  document.cookie = `tillpost_${name}=${value ?? ""}; path=/; max-age=${value === null ? 0 : yearSeconds}; samesite=lax${secure}`;
}
