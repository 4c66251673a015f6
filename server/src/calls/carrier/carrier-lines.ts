import type { Tenant } from "#platform/index.ts";

/** The call that a carrier's request is about, and what authorizes it. */
export interface LineKey extends Tenant {
  call_id: string;
}

/** A carrier's report about a call: its topic, which is only reported once, and the facts. */
export interface LineReport {
  topic: string;
  facts: Readonly<Record<string, string>>;
}

/** Instructions for a carrier on a call, and the WAV that it fetches next. */
export interface LineDocument {
  /** Counts a call's documents, from 1. */
  number: number;
  text: string;
  sound: Buffer | null;
}

/** A line as seen by the process that runs the call. */
export interface CarrierLine {
  /** Part of every address of the call. */
  readonly token: string;
  show(document: LineDocument): Promise<void>;
  /** True if no other call went from the same number to the same callee since a given time. */
  isAlone(since: Date): Promise<boolean>;
  /** From now on, the carrier is instructed to hang up. */
  close(): Promise<void>;
}

/**
 * The connection between calls and carriers that request instructions over HTTP: whichever process gets a request, the one that runs the
 * call receives it.
 */
export interface CarrierLines {
  open(call: LineKey & { lastsMs: number }, take: (report: LineReport) => void): Promise<CarrierLine>;
  close(): Promise<void>;
}

/** The end of all lines that carriers send requests to. */
export interface CarrierLineHandler {
  /** True if a token is the one of this call, compared in constant time. */
  knows(line: LineKey, token: string): boolean;
  report(line: LineKey, report: LineReport): Promise<void>;
  /** Waits a few seconds for it. `waiting`: it isn't there yet. `over`: the call has ended, or no process runs it anymore. */
  document(line: LineKey, number: number): Promise<{ text: string } | "waiting" | "over">;
  sound(line: LineKey, number: number): Promise<Buffer | null>;
}
