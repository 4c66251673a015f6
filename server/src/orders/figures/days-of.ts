/** A day in a time zone, with the part of it that is in a period. */
export interface Day {
  day: string;
  begins: Date;
  ends: Date;
}

/**
 * The days of a period in a time zone. Computed here instead of in the database, which may know fewer zones: Debian's PostgreSQL takes them
 * from the system, whose list is often shorter. If the clocks are set back across midnight, a day begins at the first of its two midnights.
 */
export function daysOf({ from, to }: { from: Date; to: Date }, zone: string): Day[] {
  const days: Day[] = [];
  let day = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  for (let begins = from.getTime(); begins < to.getTime(); ) {
    const next = day.add({ days: 1 });
    const ends = Math.min(next.toZonedDateTime(zone).epochMilliseconds, to.getTime());
    // A day that a zone skipped has no time in it.
    if (begins < ends) days.push({ day: day.toString(), begins: new Date(begins), ends: new Date(ends) });
    [day, begins] = [next, ends];
  }
  return days;
}
