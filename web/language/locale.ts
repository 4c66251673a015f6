// The one place that reads which languages the browser is set to. A tag that no browser should send (`en-US@posix`) is passed over, because Intl throws on it.

/** The tags that Intl takes, in the reader's order. */
export function browserLocales(): string[] {
  return (navigator.languages ?? []).flatMap((name) => {
    try {
      return Intl.DateTimeFormat.supportedLocalesOf(Intl.getCanonicalLocales(name));
    } catch {
      // Not a language tag.
      return [];
    }
  });
}

/** The reader's own form of the page's language, for dates and numbers; the page's language where they have none. */
export function localeFor(language: string): string {
  return browserLocales().find((tag) => tag.slice(0, 2) === language.slice(0, 2)) ?? language;
}
