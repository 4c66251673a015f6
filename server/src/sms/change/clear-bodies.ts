import { type Ctx, findNow, updatePlanning } from "#platform/index.ts";
import { redactText } from "./redact-text.ts";
import { deleteOldBodies, deleteOldReferences } from "./sql.ts";

const portion = 500;
const retentionMs = 30 * 86_400_000;
/** No message is in transit for this long. */
const referenceRetentionMs = 7 * 86_400_000;

/**
 * Deletes texts and attempts thirty days after a message's scheduled time, and texts of inbound messages from their events too; the message
 * remains. Returns how many.
 */
export function clearSmsBodies(ctx: Ctx): Promise<number> {
  return ctx.transact(async (tx) => {
    await updatePlanning(tx);
    const now = (await findNow(tx)).getTime();
    await deleteOldReferences(tx, new Date(now - referenceRetentionMs), portion);
    const cleared = await deleteOldBodies(tx, new Date(now - retentionMs), portion);
    for (const sms of cleared) if (sms.direction === "inbound") await redactText(tx, sms);
    return cleared.length;
  });
}
