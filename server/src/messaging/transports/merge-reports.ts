import type { StoredReport, TransportName, TransportState } from "./shapes.ts";

/** A transport's state across all processes. `silent`: no process reports it any more. */
export interface MergedTransport extends TransportName {
  state: TransportState | "paused" | "silent";
  since: Date | null;
  /** When it is used or tried again. */
  paused_until: Date | null;
  error: { message: string; at: Date } | null;
  in_flight: number;
  capacity: number | null;
  /** How many processes report it, and for how many of them it is up. */
  processes: number;
  processes_up: number;
  reported_at: Date;
}

const best = ["up", "paused", "down", "idle"] as const;

/**
 * Merges several processes' reports of a transport into one row. A running process's report takes precedence over a dead one's last report.
 * A transport that was only reported by processes that shut down normally is left out, unless no process is running.
 */
export function mergeReports(reports: readonly StoredReport[], now: Date): MergedTransport[] {
  const isRunning = ({ stale, stopped }: StoredReport) => !stale && !stopped;
  const isAlive = reports.some(isRunning);
  const counted = isAlive ? reports.filter(({ stopped }) => !stopped) : reports;
  const byName = Map.groupBy(counted, ({ channel, name }) => `${channel} ${name}`);
  return [...byName.values()].map((all) => {
    const running = all.filter(isRunning);
    return running.length > 0 ? mergeRunning(running, now) : silentTransport(all);
  });
}

function stateOf({ state, paused_until }: StoredReport, now: Date): (typeof best)[number] {
  return paused_until !== null && paused_until > now && state !== "down" ? "paused" : state;
}

function mergeRunning(reports: readonly StoredReport[], now: Date): MergedTransport {
  const state = best.find((one) => reports.some((report) => stateOf(report, now) === one)) ?? "idle";
  const alike = reports.filter((report) => stateOf(report, now) === state);
  // A process that waits for a connection that another one holds doesn't add to the capacity.
  const working = reports.filter((report) => stateOf(report, now) !== "idle");
  const counted = working.length > 0 ? working : alike.slice(0, 1);
  return {
    ...nameOf(reports),
    state,
    since: earliest(alike.map(({ state_at }) => state_at)),
    paused_until: earliest(alike.map(({ paused_until }) => (paused_until !== null && paused_until > now ? paused_until : null))),
    error: lastError(reports),
    in_flight: reports.reduce((sum, { in_flight }) => sum + in_flight, 0),
    capacity: counted.some(({ capacity }) => capacity === null) ? null : counted.reduce((sum, { capacity }) => sum + (capacity ?? 0), 0),
    processes: reports.length,
    processes_up: reports.filter((report) => stateOf(report, now) === "up").length,
    reported_at: latest(reports),
  };
}

function silentTransport(reports: readonly StoredReport[]): MergedTransport {
  const reported_at = latest(reports);
  const quiet = { paused_until: null, in_flight: 0, capacity: null, processes: 0, processes_up: 0 };
  return { ...nameOf(reports), state: "silent", since: reported_at, error: lastError(reports), ...quiet, reported_at };
}

function nameOf([first]: readonly StoredReport[]): TransportName {
  if (first === undefined) throw new Error("a way was merged from no report");
  const { channel, name, kind } = first;
  return { channel, name, kind };
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : new Date(Math.min(...known.map((time) => time.getTime())));
}

function latest(reports: readonly StoredReport[]): Date {
  return new Date(Math.max(...reports.map(({ reported_at }) => reported_at.getTime())));
}

function lastError(reports: readonly StoredReport[]): MergedTransport["error"] {
  const [last] = reports.filter(({ error_at }) => error_at !== null).sort((one, other) => Number(other.error_at) - Number(one.error_at));
  return last?.error == null || last.error_at === null ? null : { message: last.error, at: last.error_at };
}
