import type { Ctx } from "#platform/index.ts";

/** A carrier's request with its raw bytes. */
export interface CarrierRequest {
  method: "GET" | "POST";
  /** Path and query as requested, because signatures cover them. */
  url: string;
  /** The part of the path after the account, such as `status`. */
  path: string;
  /** By lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** The response to the carrier. */
export interface CarrierAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Why a carrier's request was refused. `unsupported`: it was verified, but is about nothing that is known here. */
export type CarrierRefusal = "signature" | "malformed" | "unsupported";

/** One transport's handler of a carrier's HTTP requests. */
export interface CarrierWebhook {
  /** Its part of the address. */
  readonly channel: "sms" | "calls";
  has(account: string): boolean;
  /** Verifies first. Resolves once everything is stored, and rejects if it couldn't be, so that the carrier repeats it. */
  take(ctx: Ctx, account: string, request: CarrierRequest): Promise<CarrierAnswer | CarrierRefusal>;
}

/** The address for a carrier's callbacks. `path` may have a query. */
export function carrierAddress(
  { publicUrl }: Pick<Ctx, "publicUrl">,
  { channel }: Pick<CarrierWebhook, "channel">,
  given: { account: string; path: string },
): string {
  return `${publicUrl}/api/carriers/${channel}/${given.account}/${given.path}`;
}
