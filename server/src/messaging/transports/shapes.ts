/** `idle`: not tried yet. */
export type TransportState = "idle" | "up" | "down";

/** A way out, as messages that left by it name it. */
export interface TransportName {
  channel: string;
  name: string;
  /** What it speaks. */
  kind: string;
}

/** What only the way itself knows, looked at when it is reported. */
export interface TransportLook {
  inFlight: number;
  /** How much may be in flight at once; null: as much as there is. */
  capacity: number | null;
  pausedUntil?: Date | null;
  /** What went out by it since its process began, where it counts that itself. */
  total?: { handed: number; failed: number };
}

/** One way as one process reports it. `handed` and `failed` count since its report before. */
export interface TransportReport extends TransportName {
  state: TransportState;
  state_at: Date | null;
  paused_until: Date | null;
  error: string | null;
  error_at: Date | null;
  in_flight: number;
  capacity: number | null;
  handed: number;
  failed: number;
}

/** A report as it is stored. */
export interface StoredReport extends Omit<TransportReport, "handed" | "failed"> {
  process: string;
  stopped: boolean;
  /** Its process has been silent for longer than it would be. */
  stale: boolean;
  reported_at: Date;
}

export interface TransportMinute {
  minute: Date;
  handed: number;
  failed: number;
}
