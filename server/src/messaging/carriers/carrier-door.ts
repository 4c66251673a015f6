import type { Ctx } from "#platform/index.ts";

/** What a carrier sent, by its very bytes. */
export interface CarrierRequest {
  method: "GET" | "POST";
  /** Path and query, as they were asked for: signatures are over them. */
  url: string;
  /** What stands behind the account in the path, such as `status`. */
  path: string;
  /** By lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** What the carrier is answered. */
export interface CarrierAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** Why a carrier's request was not believed, or is about nothing that is known here. */
export type CarrierRefusal = "signature" | "malformed" | "unsupported";

/** What one transport takes from carriers that call back over HTTP. */
export interface CarrierDoor {
  /** The part of the address that leads here. */
  readonly channel: "sms" | "calls";
  has(account: string): boolean;
  /** Verifies before it does anything else. Resolves once everything is stored, and rejects where it could not be: the carrier then sends it again. */
  take(ctx: Ctx, account: string, request: CarrierRequest): Promise<CarrierAnswer | CarrierRefusal>;
}

/** Where a carrier calls back. `path` may have a query. */
export function carrierAddress(
  { publicUrl }: Pick<Ctx, "publicUrl">,
  { channel }: Pick<CarrierDoor, "channel">,
  given: { account: string; path: string },
): string {
  return `${publicUrl}/api/carriers/${channel}/${given.account}/${given.path}`;
}
