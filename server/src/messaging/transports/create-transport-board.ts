import { storable } from "#platform/index.ts";
import type { TransportLook, TransportName, TransportReport } from "./shapes.ts";

/** Records the state of one transport while it works. */
export interface TransportNotes {
  up(): void;
  /** `nextAt`: when it is tried again, if known. */
  down(reason: string, nextAt?: Date): void;
  handed(): void;
  /** A message was refused, deferred or lost. Without a reason if that says nothing about the transport. */
  failed(reason?: string): void;
  /** A fault that does not concern the whole transport. */
  fault(reason: string): void;
}

/** The state of one process's transports. Kept in memory; `take` returns what is reported to the other processes. */
export interface TransportBoard {
  add(name: TransportName, look: () => TransportLook): TransportNotes;
  /** The current report; resets the counts. */
  take(): TransportReport[];
  /** Restores the counts of a report that could not be stored. */
  restore(reports: readonly TransportReport[]): void;
}

interface Entry {
  report: TransportReport;
  look(): TransportLook;
  /** The totals that were reported. */
  reported: { handed: number; failed: number };
}

/** Carriers' longer texts are truncated. */
const maxCharacters = 500;

export function createTransportBoard(now: () => Date): TransportBoard {
  const entries: Entry[] = [];
  return {
    add(name, look) {
      const entry: Entry = { report: { ...name, ...untried }, look, reported: { handed: 0, failed: 0 } };
      entries.push(entry);
      return notesOf(entry, now);
    },
    take: () => entries.map(takeReport),
    restore(reports) {
      for (const { channel, name, handed, failed } of reports) {
        const entry = entries.find(({ report }) => report.channel === channel && report.name === name);
        if (entry === undefined) continue;
        entry.report.handed += handed;
        entry.report.failed += failed;
      }
    },
  };
}

const untried = {
  state: "idle",
  state_at: null,
  paused_until: null,
  error: null,
  error_at: null,
  in_flight: 0,
  capacity: null,
  handed: 0,
  failed: 0,
} as const;

function notesOf({ report }: Entry, now: () => Date): TransportNotes {
  const become = (state: TransportReport["state"]) => {
    if (report.state === state) return;
    report.state = state;
    report.state_at = now();
  };
  const fault = (reason: string) => {
    report.error = storable(reason.slice(0, maxCharacters));
    report.error_at = now();
  };
  return {
    up() {
      become("up");
      report.paused_until = null;
    },
    down(reason, nextAt) {
      fault(reason);
      become("down");
      report.paused_until = nextAt ?? null;
    },
    handed() {
      report.handed += 1;
    },
    failed(reason) {
      if (reason !== undefined) fault(reason);
      report.failed += 1;
    },
    fault,
  };
}

function takeReport(entry: Entry): TransportReport {
  const { report, reported } = entry;
  const { inFlight, capacity, pausedUntil, total } = entry.look();
  report.in_flight = inFlight;
  report.capacity = capacity;
  if (pausedUntil !== undefined && report.state !== "down") report.paused_until = pausedUntil;
  if (total !== undefined) {
    // The counts of a restarted transport begin at zero.
    const isAgain = total.handed < reported.handed || total.failed < reported.failed;
    report.handed += total.handed - (isAgain ? 0 : reported.handed);
    report.failed += total.failed - (isAgain ? 0 : reported.failed);
    entry.reported = total;
  }
  const taken = { ...report };
  report.handed = 0;
  report.failed = 0;
  return taken;
}
