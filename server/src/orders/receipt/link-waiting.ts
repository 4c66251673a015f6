import { lockWaitingAround, updateReceipt } from "#collection/index.ts";
import type { Ctx, Tx } from "#platform/index.ts";
import { updateReceivedReceipt } from "../settle/sql.ts";
import { channelOf, type SessionRow } from "../shapes.ts";

const aroundMs = 10 * 60_000;

/** Ties an approval to the one waiting receipt that shows the same transfer, so that the receipt is not booked a second time. Several fits stay for a person. */
export async function linkWaitingReceipt(tx: Tx, ctx: Ctx, given: { session: SessionRow; amountMinor: number; externalId: string }): Promise<void> {
  const { session, amountMinor } = given;
  const channel = channelOf[session.gateway as keyof typeof channelOf];
  if (channel === undefined) return;
  const now = ctx.now();
  const waiting = await lockWaitingAround(tx, session, {
    channel,
    amount_minor: amountMinor,
    from: new Date(session.created_at.getTime() - aroundMs),
    to: new Date(now.getTime() + aroundMs),
  });
  const exact = waiting.filter((receipt) => receipt.external_id === given.externalId);
  const fits = exact.length > 0 ? exact : waiting;
  const [only] = fits;
  if (fits.length !== 1 || only === undefined) return;
  if (!(await updateReceivedReceipt(tx, session, { gateway: session.gateway, externalId: given.externalId, receiptId: only.id }))) return;
  await updateReceipt(tx, only, { status: "linked", payment_session_id: session.id, now });
}
