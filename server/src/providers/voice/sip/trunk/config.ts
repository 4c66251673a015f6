import type { Transport } from "../net/signalling.ts";

/** One trunk as the operator configured it. */
export interface TrunkConfig {
  name: string;
  /** A name or an address. */
  host: string;
  /** null: found by SRV, else the default port. */
  port: number | null;
  transport: Transport;
  user: string | null;
  password: string | null;
  /** Whether we register with it, as its user. */
  register: boolean;
  channels: number;
  /** Calls started per second. */
  cps: number;
  /** ISO 3166 alpha-2 codes or calling codes; null: every country. */
  countries: readonly string[] | null;
  /** Whether numbers start with `+`. */
  plus: boolean;
  srtp: boolean;
  /** Whether its state is checked with OPTIONS. */
  ping: boolean;
}
