/** The reader's own clock as a field of day and time writes it. */
export function minuteOf(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
