/** The daily times between which nothing should reach a person, on their own clock: `21:00` to `08:00` is a night. */
export interface Span {
  from: string;
  to: string;
}

export const quietKinds = ["marketing", "transactional", "calls"] as const;
export type QuietKind = (typeof quietKinds)[number];
/** null: none. */
export type QuietHours = Record<QuietKind, Span | null>;

/** The default for a project that has set nothing. */
export const usualQuietHours: QuietHours = { marketing: { from: "21:00", to: "08:00" }, transactional: null, calls: null };

const slotMs = 15 * 60_000;
const searchedMs = 2 * 24 * 60 * 60_000;

/**
 * When a message for `at` may be sent: the first quarter of an hour outside of the quiet hours in every time zone of the country. `at`
 * itself if it is outside, or if the country has no known zones. If no time is outside of all of them, the first zone's hours count.
 */
export function quietEnd(at: Date, { country, span }: { country: string; span: Span }): Date {
  const zones = zonesOf(country);
  return firstAwake(at, { zones, span }) ?? firstAwake(at, { zones: zones.slice(0, 1), span }) ?? at;
}

/** Moves from one zone's morning to the next one's until no zone is quiet; null if that takes more than two days. */
function firstAwake(at: Date, { zones, span }: { zones: readonly string[]; span: Span }): Date | null {
  const start = at.getTime();
  for (let ms = start; ms <= start + searchedMs; ) {
    const ends = Math.max(...zones.map((zone) => endOfQuiet(ms, { zone, span })));
    if (ends <= ms) return ms === start ? at : new Date(ms);
    ms = Math.ceil(ends / slotMs) * slotMs;
  }
  return null;
}

/** When the quiet hours at a time in a zone end; that time itself if it isn't quiet. */
function endOfQuiet(ms: number, { zone, span: { from, to } }: { zone: string; span: Span }): number {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  const [minute, begins, ends] = [local.hour * 60 + local.minute, minutesOf(from), minutesOf(to)];
  const isQuiet = begins <= ends ? minute >= begins && minute < ends : minute >= begins || minute < ends;
  if (!isQuiet) return ms;
  const day = minute < ends ? local : local.add({ days: 1 });
  return day.with({ hour: Math.floor(ends / 60), minute: ends % 60, second: 0, millisecond: 0 }).epochMilliseconds;
}

/** Minutes since midnight of `21:00`. */
export function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

/** How long quiet hours last. */
export function lengthOf({ from, to }: Span): number {
  return (minutesOf(to) - minutesOf(from) + 1_440) % 1_440;
}

/** Minutes since midnight on a zone's clock. */
function minuteIn(at: Date, zone: string): number {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  return hour * 60 + minute;
}

const knownZones = new Map<string, readonly string[]>();

/** The time zones of a country, without those whose clock is the same as another's all year. */
function zonesOf(country: string): readonly string[] {
  let zones = knownZones.get(country);
  if (zones === undefined) {
    zones = oneZone[country] ?? alike(listZones(country));
    knownZones.set(country, zones);
  }
  return zones;
}

/** Countries that use one clock, although the list of zones has more. */
const oneZone: Readonly<Record<string, readonly string[]>> = { CN: ["Asia/Shanghai"] };

function listZones(country: string): readonly string[] {
  if (!/^[A-Z]{2}$/.test(country)) return [];
  // Node has it, but TypeScript's library doesn't know it yet.
  return (new Intl.Locale(`und-${country}`) as unknown as { getTimeZones(): string[] | undefined }).getTimeZones() ?? [];
}

/** A time in winter and one in summer: zones that agree on both count as one. */
const samples = [new Date("2026-01-15T12:00:00Z"), new Date("2026-07-15T12:00:00Z")];

function alike(zones: readonly string[]): string[] {
  const byClock = new Map<string, string>();
  for (const zone of zones) {
    const name = samples.map((at) => minuteIn(at, zone)).join();
    if (!byClock.has(name)) byClock.set(name, zone);
  }
  return [...byClock.values()];
}
