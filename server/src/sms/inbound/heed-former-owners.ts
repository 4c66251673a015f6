import { addSuppression } from "#messaging/index.ts";
import type { Ctx, Tenant, Tx } from "#platform/index.ts";
import { optOutOf, smsChannel } from "../channel/sms-channel.ts";
import { listUnsentOwners } from "./former-owners.sql.ts";

interface Stopped {
  /** The number that received the STOP, and who sent it. */
  pair: { sender: string; recipient: string };
  /** The project that the number belongs to now. */
  owner: Tenant | null;
}

/**
 * Opts a recipient out of messages that other projects had accepted from a number before they lost it, and that are still to be sent. The
 * STOP itself was sent to the number's present owner: the others only get the opt-out.
 */
export async function heedFormerOwners(tx: Tx, ctx: Ctx, { pair, owner }: Stopped): Promise<void> {
  for (const tenant of await listUnsentOwners(tx, pair))
    if (tenant.project_id !== owner?.project_id)
      await addSuppression(tx, ctx, { tenant, channel: smsChannel, address: optOutOf(pair), reason: "unsubscribe" });
}
