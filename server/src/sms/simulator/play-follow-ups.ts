import { playFollowUps } from "#messaging/index.ts";
import type { Ctx } from "#platform/index.ts";
import { takeReceipt } from "../receipts/take-receipt.ts";
import { listParts } from "../rows.sql.ts";
import type { SimulatedOutcome } from "./magic-numbers.ts";
import { receiptOf } from "./simulate.ts";
import { updateFollowUps } from "./sql.ts";

/** Reports the outcomes of TEST messages, as a carrier would; returns how many. */
export function playSmsFollowUps(ctx: Ctx): Promise<number> {
  return playFollowUps(ctx, {
    take: updateFollowUps,
    async play({ sequel, ...key }) {
      for (const { provider_message_id } of await listParts(ctx.db, [key]))
        if (provider_message_id !== null)
          await takeReceipt(ctx, receiptOf(provider_message_id, { outcome: sequel as SimulatedOutcome, ctx }));
    },
  });
}
