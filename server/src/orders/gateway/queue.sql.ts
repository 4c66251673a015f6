import { pollStates } from "#gateways/index.ts";
import { type LeaseClaim, type QueueTable, type Tenant, type Tx, updateLeased } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import { gatewayPaymentColumns } from "../rows/gateway-payments.sql.ts";
import type { GatewayPaymentRow } from "../shapes.ts";

export const paymentQueue: QueueTable = {
  name: "gateway_payments",
  table: (tag) => tag`gateway_payments`,
  job: (tag) => tag`q.id`,
};

/** A payment to poll, leased by this process. */
export type PaymentJob = GatewayPaymentRow & { lease: string };

/** Leases payments that are due to be polled, the longest due first. */
export function updateLeasedPayments(tx: Tx, claim: Omit<LeaseClaim, "more" | "columns">): Promise<PaymentJob[]> {
  return updateLeased<PaymentJob>(tx, paymentQueue, {
    ...claim,
    more: (tag) => tag`, updated_at = app_now()`,
    columns: (tag) => tag`${gatewayPaymentColumns.of("q")}, q.lease`,
  });
}

/** When a payment is polled next. */
interface NextAsk {
  /** From now, while someone has its page open: after the first poll, the second, and so on; the last one repeats. */
  watchedMs: readonly number[];
  /** From now, by the schedule. */
  calendarMs: number;
  /** Not after that. */
  until: Date | null;
  /** How many of the schedule's polls were due so far, and how many of them in a row the provider didn't answer. */
  asks: number;
  silentAsks: number;
  /** Its session was open when the provider was asked. If it has ended since, the payment is due at once, to be closed. */
  wasOpen: boolean;
}

/**
 * Releases a payment until it is due again. A buyer may have returned during the poll, so the row says how many there were while someone
 * had its page open. An earlier statement has locked the order, so that nothing ends the session at the same moment.
 */
export async function updatePolled(tx: Tx, job: Tenant & { id: string; lease: string }, next: NextAsk): Promise<number> {
  pollStates.check(["leased"], "due");
  const rows = await sql(tx)`
    update gateway_payments set state = 'due', lease = null, lease_until = null, deaths = 0,
      due_at = case when ${next.wasOpen}::boolean and exists (select from payment_sessions s
            where s.project_id = gateway_payments.project_id and s.livemode = gateway_payments.livemode
              and s.id = gateway_payments.payment_session_id and s.status not in ('pending', 'processing', 'pending_verify'))
          then app_now()
        else least(app_now() + interval '1 millisecond'
            * case when watched_until > app_now() then (${next.watchedMs}::int[])[least(looks + 1, ${next.watchedMs.length})]
              else ${next.calendarMs}::int end,
          ${next.until}::timestamptz) end,
      looks = case when watched_until > app_now() then least(looks + 1, 100) else looks end,
      asks = ${next.asks}, silent_asks = ${next.silentAsks}
    where project_id = ${job.project_id} and livemode = ${job.livemode} and id = ${job.id} and state = 'leased' and lease = ${job.lease}`;
  return rows.count;
}
