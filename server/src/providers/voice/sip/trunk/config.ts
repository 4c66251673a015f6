import type { Transport } from "../net/signalling.ts";

/** One trunk as the operator set it. */
export interface TrunkConfig {
  name: string;
  /** A name or an address. */
  host: string;
  /** null: found by SRV, else the usual one. */
  port: number | null;
  transport: Transport;
  user: string | null;
  password: string | null;
  /** Whether it is registered with; calls then go out as the user. */
  register: boolean;
  channels: number;
  /** Calls begun a second. */
  cps: number;
  /** ISO 3166 alpha-2 codes or calling codes; null: every country. */
  countries: readonly string[] | null;
  /** Whether numbers begin with `+`. */
  plus: boolean;
  srtp: boolean;
  /** Whether it is asked by OPTIONS how it is. */
  ping: boolean;
}
