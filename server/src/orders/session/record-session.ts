import { type AskingRow, findAccount, takeAsking } from "#collection/index.ts";
import { type Ctx, platformErrors, type Tx } from "#platform/index.ts";
import { lockHeldParts } from "../rows/exceptions.sql.ts";
import { insertSession } from "../rows/sessions.sql.ts";
import { channelOf, type OrderRow, type QrGateway, type SessionRow } from "../shapes.ts";

/**
 * Writes down a payment that nobody started on the page, of a locked order, at the time of `timed`. It asks for what the order's last one by this gateway asked for.
 * `since`: when the money was sent, where that is known. `reported`: it waits for a review; otherwise a person is about to say that it arrived.
 */
export async function recordSession(
  tx: Tx,
  timed: Ctx,
  given: { order: OrderRow; gateway: QrGateway; last: SessionRow | null; reported: boolean; since?: Date },
): Promise<SessionRow> {
  const { order, gateway, last, reported } = given;
  if (order.currency !== "CNY") throw platformErrors.unsupported_currency({ param: "gateway", message: "Personal receiving codes take CNY alone." });
  const held = await lockHeldParts(tx, order, order.id);
  const owedMinor = order.amount_minor - held.reduce((sum, part) => sum + part.amount_minor, 0);
  const now = timed.now();
  const same = last?.gateway === gateway && last.amount_minor === owedMinor ? last : null;
  const asking = await lateAsking(tx, timed, { order, gateway, owedMinor, same, since: given.since ?? now });
  return insertSession(tx, {
    project_id: order.project_id,
    livemode: order.livemode,
    id: timed.id("ps"),
    order_id: order.id,
    gateway,
    channel: channelOf[gateway],
    status: reported ? "pending_verify" : "expired",
    amount_minor: owedMinor,
    payable_amount_minor: asking.amount_minor,
    currency: order.currency,
    profile_id: same?.profile_id ?? null,
    qr_payload: same?.qr_payload ?? null,
    qr_asset_id: same?.qr_asset_id ?? null,
    payee_name: same?.payee_name ?? null,
    instructions: same?.instructions ?? {},
    matching_mode: asking.mode === "exact" ? (same?.matching_mode ?? "exact") : asking.mode,
    remark_code: asking.code,
    asking_id: asking.id,
    flags: asking.is_fallback ? ["ambiguous_amount"] : [],
    expires_at: now,
    reported_at: reported ? now : null,
    verified_at: null,
    reviewed_by: null,
    failure_code: null,
    created_at: now,
    updated_at: now,
  });
}

/** What the order was asked for, while it still holds it; else the amount alone, which marks nothing. */
async function lateAsking(
  tx: Tx,
  timed: Ctx,
  given: { order: OrderRow; gateway: QrGateway; owedMinor: number; same: SessionRow | null; since: Date },
): Promise<AskingRow> {
  const { order, gateway, owedMinor, same } = given;
  const wanted = {
    account: await findAccount(tx, order, { channel: channelOf[gateway] }),
    order_id: order.id,
    nominal_minor: owedMinor,
    asked_minor: same?.payable_amount_minor ?? owedMinor,
    matching: { mode: "exact" as const, max_offset_minor: 0, strict: false },
    min_minor: null,
    until: timed.now(),
    since: given.since,
  };
  const asking = await takeAsking(tx, timed, { tenant: { project_id: order.project_id, livemode: order.livemode }, wanted });
  if (asking === null) throw new Error("an exact asking was refused");
  return asking;
}
