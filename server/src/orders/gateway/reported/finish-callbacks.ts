import { type StoredCallback, updateCallbacksApplied, updateCallbacksPostponed } from "#gateways/index.ts";
import type { Tx } from "#platform/index.ts";
import { waitAfter } from "../../polling/calendar.ts";
import type { GatewayPaymentRow } from "../../shapes.ts";

/** How often a provider is asked about a fee. One that it doesn't report within days stays unknown. */
const maxAsks = 4;

/** Whether a callback reports a payment that is booked already, except for its fee. */
export function isAboutFee({ told }: StoredCallback, { settled_id, fee_minor, provider_id }: GatewayPaymentRow): boolean {
  if (told.kind !== "payment" || settled_id === null || fee_minor !== null) return false;
  return told.payment.feeLater === true && told.payment.providerId === provider_id;
}

/** When a provider is asked, or asked again, about a fee that a payment's callback didn't include; null if it isn't. */
export function feeWaitMs({ told, attempts }: StoredCallback, { fee_minor }: GatewayPaymentRow): number | null {
  const isLater = told.kind === "payment" && told.payment.feeLater === true && fee_minor === null;
  return isLater && attempts < maxAsks ? waitAfter(attempts) : null;
}

/** A callback whose report was carried out for its payment, which is as it was before. */
interface CarriedOut {
  callback: StoredCallback | null;
  payment: GatewayPaymentRow;
  /** Whether its money is this payment's. */
  isOurs: boolean;
}

/** Records callbacks as applied, of any tenants. One whose payment has a fee that it didn't include is due again for it. */
export async function finishCallbacks(tx: Tx, all: readonly CarriedOut[]): Promise<void> {
  const applied: StoredCallback[] = [];
  const postponed: (StoredCallback & { wait_ms: number })[] = [];
  for (const { callback, payment, isOurs } of all) {
    if (callback === null) continue;
    const wait_ms = isOurs ? feeWaitMs(callback, payment) : null;
    if (wait_ms === null) applied.push(callback);
    else postponed.push({ ...callback, wait_ms });
  }
  if (applied.length > 0) await updateCallbacksApplied(tx, applied, "applied");
  if (postponed.length > 0) await updateCallbacksPostponed(tx, postponed);
}
