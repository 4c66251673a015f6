import type { Tenant } from "#platform/index.ts";

/** A call that a carrier asks about, and what proves that it may. */
export interface LineKey extends Tenant {
  call_id: string;
}

/** What a carrier told of a call: what it is about, which it tells once, and what it said. */
export interface LineReport {
  topic: string;
  facts: Readonly<Record<string, string>>;
}

/** What a carrier is to do on a call, and the WAV that it then fetches. */
export interface LineDocument {
  /** Counts a call's documents, from 1. */
  number: number;
  text: string;
  sound: Buffer | null;
}

/** The end of a line that the process has which holds the call. */
export interface CarrierLine {
  /** Stands in every address of the call's. */
  readonly token: string;
  show(document: LineDocument): Promise<void>;
  /** Whether no other call went from the same number to the same callee since a moment. */
  isAlone(since: Date): Promise<boolean>;
  /** From now on, the carrier is told to hang up. */
  close(): Promise<void>;
}

/** Where calls meet carriers that ask over HTTP what to do next: whichever process they ask, the one that holds the call hears of it. */
export interface CarrierLines {
  open(call: LineKey & { lastsMs: number }, take: (report: LineReport) => void): Promise<CarrierLine>;
  close(): Promise<void>;
}

/** The end of all lines that carriers ask. */
export interface CarrierLineHandler {
  /** Whether a token is the one of this call, told in constant time. */
  knows(line: LineKey, token: string): boolean;
  report(line: LineKey, report: LineReport): Promise<void>;
  /** Waits a few seconds for it. `waiting`: it isn't there yet. `over`: the call has ended, or no process runs it any more. */
  document(line: LineKey, number: number): Promise<{ text: string } | "waiting" | "over">;
  sound(line: LineKey, number: number): Promise<Buffer | null>;
}
