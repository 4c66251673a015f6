import type { TransportLook, TransportName, TransportReport } from "./shapes.ts";

/** What is noted about one way out while it works. */
export interface TransportNotes {
  up(): void;
  /** `nextAt`: when it is tried again, where that is known. */
  down(reason: string, nextAt?: Date): void;
  handed(): void;
  /** Something did not go out by it: refused, put off or lost. Without a reason where that says nothing about the way. */
  failed(reason?: string): void;
  /** A fault that does not concern the way as a whole. */
  fault(reason: string): void;
}

/** How the ways out of one process are. Kept in memory; `take` is what is reported to the others. */
export interface TransportBoard {
  add(name: TransportName, look: () => TransportLook): TransportNotes;
  /** What there is to report; counts begin again. */
  take(): TransportReport[];
  /** Puts back the counts of a report that could not be written. */
  putBack(reports: readonly TransportReport[]): void;
}

interface Entry {
  report: TransportReport;
  look(): TransportLook;
  /** The totals that were reported. */
  reported: { handed: number; failed: number };
}

/** Longer words of carriers are cut. */
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
    putBack(reports) {
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
    report.error = reason.slice(0, maxCharacters);
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
    // A way that was begun again counts from nought.
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
