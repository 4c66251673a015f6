import { type Ctx, deriveKey, equalSecret, macOf, trustedNumbers } from "#platform/index.ts";
import type { LineKey } from "./carrier-lines.ts";

const purpose = "call line";

/**
 * The token in the addresses that a carrier requests for a call. With it, anyone can hear the call's audio while it lasts, and nothing
 * else.
 */
export function lineToken({ masterKeys }: Pick<Ctx, "masterKeys">, line: LineKey, number?: number): string {
  return macOf(deriveKey(masterKeys, purpose, number), `${line.project_id}|${line.livemode}|${line.call_id}`);
}

export function knowsToken(ctx: Pick<Ctx, "masterKeys">, line: LineKey, token: string): boolean {
  return trustedNumbers(ctx.masterKeys, purpose).some((number) => equalSecret(token, lineToken(ctx, line, number)));
}
