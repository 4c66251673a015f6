/** From when until when nothing is to reach a person, by their own clock: `21:00` to `08:00` is a night. */
export interface Span {
  from: string;
  to: string;
}

export const quietKinds = ["marketing", "transactional", "calls"] as const;
export type QuietKind = (typeof quietKinds)[number];
/** null: none. */
export type QuietHours = Record<QuietKind, Span | null>;

/** What applies where a project has set nothing. */
export const usualQuietHours: QuietHours = { marketing: { from: "21:00", to: "08:00" }, transactional: null, calls: null };

const slotMinutes = 15;
const slotMs = slotMinutes * 60_000;
const slotsMax = (2 * 24 * 60) / slotMinutes;

/**
 * When a message may go that is to go at `at`: the first quarter of an hour that is outside of the quiet hours in every time zone of the country. `at` itself if it is,
 * or if the country has no known zones. Where no time is outside of all of them, the first zone's hours count.
 */
export function quietEnd(at: Date, { country, span }: { country: string; span: Span }): Date {
  const zones = zonesOf(country);
  if (zones.length === 0 || !isQuiet(at, { zones, span })) return at;
  const first = Math.ceil((at.getTime() + 1) / slotMs) * slotMs;
  for (const within of [zones, zones.slice(0, 1)])
    for (let slot = 0; slot < slotsMax; slot += 1) {
      const time = new Date(first + slot * slotMs);
      if (!isQuiet(time, { zones: within, span })) return time;
    }
  return at;
}

function isQuiet(at: Date, { zones, span }: { zones: readonly string[]; span: Span }): boolean {
  return zones.some((zone) => isWithin(minuteIn(at, zone), span));
}

function isWithin(minute: number, { from, to }: Span): boolean {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  return start <= end ? minute >= start && minute < end : minute >= start || minute < end;
}

/** Minutes since midnight of `21:00`. */
export function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

/** How long quiet hours last. */
export function lengthOf({ from, to }: Span): number {
  return (minutesOf(to) - minutesOf(from) + 1_440) % 1_440;
}

/** Minutes since midnight by a zone's clock. */
function minuteIn(at: Date, zone: string): number {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  return hour * 60 + minute;
}

const knownZones = new Map<string, readonly string[]>();

/** The time zones of a country, without those whose clock is another one's all year. */
function zonesOf(country: string): readonly string[] {
  let zones = knownZones.get(country);
  if (zones === undefined) {
    zones = oneZone[country] ?? alike(listZones(country));
    knownZones.set(country, zones);
  }
  return zones;
}

/** Where all live by one clock, though the list of zones has more. */
const oneZone: Readonly<Record<string, readonly string[]>> = { CN: ["Asia/Shanghai"] };

function listZones(country: string): readonly string[] {
  if (!/^[A-Z]{2}$/.test(country)) return [];
  // Node has it; TypeScript's library does not know it yet.
  return (new Intl.Locale(`und-${country}`) as unknown as { getTimeZones(): string[] | undefined }).getTimeZones() ?? [];
}

/** Times of a winter and a summer: zones that agree on both are one. */
const samples = [new Date("2026-01-15T12:00:00Z"), new Date("2026-07-15T12:00:00Z")];

function alike(zones: readonly string[]): string[] {
  const byClock = new Map<string, string>();
  for (const zone of zones) {
    const name = samples.map((at) => minuteIn(at, zone)).join();
    if (!byClock.has(name)) byClock.set(name, zone);
  }
  return [...byClock.values()];
}
