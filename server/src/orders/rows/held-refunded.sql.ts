import type { Tenant, Tx } from "#platform/index.ts";
import { sql } from "#platform/sql.ts";
import type { ExceptionRow } from "../shapes.ts";
import { exceptionColumns } from "./exceptions.sql.ts";

/** The money of a payment that waits for a person because its provider first reported it as refunded, if not how much of it. */
export async function lockHeldRefunded(
  tx: Tx,
  payment: Tenant & { order_id: string; payment_session_id: string },
): Promise<ExceptionRow | null> {
  const [row] = await sql(tx)<ExceptionRow>`
    select ${exceptionColumns} from payment_exceptions
    where project_id = ${payment.project_id} and livemode = ${payment.livemode} and order_id = ${payment.order_id}
      and payment_session_id = ${payment.payment_session_id} and status = 'open' and transaction_id is not null
      and detail ->> 'reason' = 'refunded'
    order by id limit 1 for no key update`;
  return row ?? null;
}
