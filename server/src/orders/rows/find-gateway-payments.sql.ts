import type { Tenant } from "#platform/index.ts";
import { type Db, sql } from "#platform/sql.ts";
import type { GatewayPaymentRow } from "../shapes.ts";
import { gatewayPaymentColumns } from "./gateway-payments.sql.ts";

/** A payment by its provider's id, the present one or an earlier one, on any of these accounts. */
export async function findGatewayPaymentAt(
  db: Db,
  tenant: Tenant,
  given: { credentialIds: readonly string[]; providerId: string },
): Promise<GatewayPaymentRow | null> {
  const [row] = await sql(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns} from gateway_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = any (${given.credentialIds}::text[])
      and (provider_id = ${given.providerId} or earlier_ids @> array[${given.providerId}]::text[])
    order by provider_id = ${given.providerId} desc nulls last, id desc limit 1`;
  return row ?? null;
}

/** A payment by the provider's id of its money, on any of these accounts. */
export async function findGatewayPaymentOfCapture(
  db: Db,
  tenant: Tenant,
  given: { credentialIds: readonly string[]; captureId: string },
): Promise<GatewayPaymentRow | null> {
  const [row] = await sql(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns} from gateway_payments
    where project_id = ${tenant.project_id} and livemode = ${tenant.livemode} and credential_id = any (${given.credentialIds}::text[])
      and capture_id = ${given.captureId}
    order by id desc limit 1`;
  return row ?? null;
}

/** The newest payment through a gateway for an order with this reference. */
export async function findPaymentOfReference(
  db: Db,
  tenant: Tenant,
  given: { gateway: string; reference: string },
): Promise<GatewayPaymentRow | null> {
  const [row] = await sql(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns.of("g")} from orders o
    join payment_sessions s on s.project_id = o.project_id and s.livemode = o.livemode and s.order_id = o.id
    join gateway_payments g on g.project_id = s.project_id and g.livemode = s.livemode and g.payment_session_id = s.id
    where o.project_id = ${tenant.project_id} and o.livemode = ${tenant.livemode} and o.reference = ${given.reference}
      and g.gateway = ${given.gateway}
    order by g.id desc limit 1`;
  return row ?? null;
}

/** The accounts of payments with this reference or provider's id: the possible accounts of a callback. */
export async function listCredentialsOfPayment(
  db: Db,
  given: { gateway: string; reference: string | null; providerId: string | null },
): Promise<(Tenant & { credential_id: string })[]> {
  return sql(db)<Tenant & { credential_id: string }>`
    -- all tenants: a callback says nothing but which payment it is about
    select distinct project_id, livemode, credential_id from gateway_payments
    where gateway = ${given.gateway} and (payment_session_id = ${given.reference} or provider_id = ${given.providerId}
      or earlier_ids @> array[${given.providerId}]::text[]) limit 3`;
}

/** How many payments with this reference there are in any project: a merchant's shops may share one account with a provider. */
export async function countPaymentsOfReference(db: Db, reference: string): Promise<number> {
  const [row] = await sql(db)<{ total: number }>`
    -- all tenants: one account with a provider may serve several projects, and its callbacks reach them all
    select count(*) as total from gateway_payments where payment_session_id = ${reference}`;
  return row?.total ?? 0;
}

/**
 * Payments through providers by the numbers that their money has in the books; what came in later has a number that begins with the first
 * one's.
 */
export async function listPaymentsOfNumbers(
  db: Db,
  tenant: Tenant,
  numbers: readonly { gateway: string; external_id: string }[],
): Promise<GatewayPaymentRow[]> {
  const first = numbers.flatMap(({ gateway, external_id }) =>
    [external_id, external_id.replace(/\+\d+$/, "")].map((settled_id) => ({ gateway, settled_id })),
  );
  if (first.length === 0) return [];
  return sql(db)<GatewayPaymentRow>`
    select ${gatewayPaymentColumns.of("g")} from gateway_payments g
    where g.project_id = ${tenant.project_id} and g.livemode = ${tenant.livemode}
      and (g.gateway, g.settled_id) in (
        select gateway, settled_id from jsonb_to_recordset(${sql(db).json(first)}) as n (gateway text, settled_id text))
    order by g.id`;
}
