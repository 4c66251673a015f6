const most = 5;
const withinMs = 600_000;

/**
 * Counts how often the database stopped on its own. More than five times within ten minutes is too often; years of a restart now and then
 * aren't.
 */
export function countRestarts(now: () => number): { isTooOften(): boolean; forget(): void } {
  let stops: number[] = [];
  return {
    isTooOften() {
      stops = [...stops.filter((at) => now() - at < withinMs), now()];
      return stops.length > most;
    },
    forget() {
      stops = [];
    },
  };
}
