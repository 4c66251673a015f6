import { type LeaseClaim, type QueueTable, type Tenant, type Tx, updateLeased } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import { gatewayRefundColumns } from "../../rows/gateway-refunds.sql.ts";
import type { GatewayRefundRow } from "../../shapes.ts";
import { refundPollStates } from "../../states.ts";

export const refundQueue: QueueTable = {
  name: "gateway_refunds",
  table: (tag) => tag`gateway_refunds`,
  job: (tag) => tag`q.id`,
};

/** A refund to poll, leased by this process. */
export type RefundJob = GatewayRefundRow & { lease: string };

/** Leases refunds that are due to be polled, the longest due first. */
export function updateLeasedRefunds(tx: Tx, claim: Omit<LeaseClaim, "more" | "columns">): Promise<RefundJob[]> {
  return updateLeased<RefundJob>(tx, refundQueue, {
    ...claim,
    more: (tag) => tag`, updated_at = app_now()`,
    columns: (tag) => tag`${gatewayRefundColumns.of("q")}`,
  });
}

/** Releases a refund until it is due again. `asks`: how many polls without a result there were since the last one that had one. */
export async function updateRefundPolled(
  tx: Tx,
  job: Tenant & { id: string; lease: string },
  given: { waitMs: number; asks: number },
): Promise<number> {
  refundPollStates.check(["leased"], "due");
  const rows = await sql(tx)`
    update gateway_refunds set state = 'due', lease = null, lease_until = null, deaths = 0,
      asks = ${given.asks}, due_at = app_now() + ${given.waitMs} * interval '1 millisecond'
    where project_id = ${job.project_id} and livemode = ${job.livemode} and id = ${job.id} and state = 'leased' and lease = ${job.lease}`;
  return rows.count;
}

/** Ends the polling of a refund whose booked state is right. */
export async function updateRefundLeft(tx: Tx, job: Tenant & { id: string; lease: string }): Promise<number> {
  refundPollStates.check(["leased"], "done");
  const rows = await sql(tx)`
    update gateway_refunds set state = 'done', lease = null, lease_until = null, updated_at = app_now()
    where project_id = ${job.project_id} and livemode = ${job.livemode} and id = ${job.id} and state = 'leased' and lease = ${job.lease}`;
  return rows.count;
}
