// The only place that reads the browser's languages. Skips tags that no browser should send (`en-US@posix`), because Intl throws on them.

/** The tags that Intl accepts, in the reader's order. */
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

/** The reader's regional variant of the page's language, for dates and numbers; the page's language if they have none. */
export function localeFor(language: string): string {
  return browserLocales().find((tag) => tag.slice(0, 2) === language.slice(0, 2)) ?? language;
}
