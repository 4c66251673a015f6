import { createGuard } from "./egress/address-guard.ts";
import type { Dialer } from "./egress/dial.ts";
import type { EgressLimits, EgressRequest, Exchange } from "./egress/exchange.ts";
import { type Resolve, resolverOf } from "./egress/resolve-name.ts";
import { platformErrors } from "./errors.ts";

export interface EgressOptions {
  /** CIDR ranges that are allowed on any port although they aren't public. */
  allow: readonly string[];
  /** Address of this deployment itself. */
  publicUrl: string;
  resolve?: Resolve;
  /** Certificate authorities in addition to the built-in ones. */
  ca?: string[];
  limits?: Partial<EgressLimits>;
}

/** The only way to send requests to addresses that merchants name, and to providers. */
export interface Egress {
  /** Refuses an address that can't be saved: url_not_allowed, with the same message for every reason. */
  check(url: string, param: string): Promise<void>;
  /** Never throws. Follows no redirect, decompresses nothing, and ends within `totalMs` whatever the other side does. */
  request(given: EgressRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/**
 * Limits for another server's time and size, unless the caller sets others. `totalMs` is just under 15 s, so that an exchange ends before
 * its slot is reused.
 */
export const usualLimits: EgressLimits = { connectMs: 5_000, firstByteMs: 10_000, totalMs: 14_750, bodyBytes: 65_536 };

/** Builds the guarded client. Addresses are checked when saved, when resolved and again on the connected socket. */
export function createEgress(options: EgressOptions): Egress {
  const limits = { ...usualLimits, ...options.limits };
  const ownHost = new URL(options.publicUrl).hostname;
  const guard = createGuard({ allow: options.allow, ownHost, resolve: options.resolve ?? resolverOf(options.allow.length > 0) });
  // Loaded late, because the HTTP client needs memory that a process that sends nothing can save.
  let dialer: Promise<Dialer> | undefined;
  const load = async () => (await import("./egress/dial.ts")).createDialer({ guard, limits, ca: options.ca });
  return {
    async check(url, param) {
      if (!(await guard.mayBeSaved(url))) throw platformErrors.url_not_allowed({ param });
    },
    request: async (given) => (await (dialer ??= load())).exchange(given),
    close: async () => (await dialer)?.close(),
  };
}
