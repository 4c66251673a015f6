/** `idle`: not tried yet. */
export type TransportState = "idle" | "up" | "down";

/** A transport, by the name that its messages record. */
export interface TransportName {
  channel: string;
  name: string;
  /** Its protocol. */
  kind: string;
}

/** What only the transport itself knows, read when it is reported. */
export interface TransportLook {
  inFlight: number;
  /** The maximum number of messages in flight; null: unlimited. */
  capacity: number | null;
  pausedUntil?: Date | null;
  /** The number of messages sent since its process started, if it counts them itself. */
  total?: { handed: number; failed: number };
}

/** One process's report of a transport. `handed` and `failed` count since its previous report. */
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
  /** Its process has not reported for longer than a running one would. */
  stale: boolean;
  reported_at: Date;
}

export interface TransportMinute {
  minute: Date;
  handed: number;
  failed: number;
}
