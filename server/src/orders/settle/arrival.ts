import type { NewTransfer } from "#ledger/index.ts";
import type { Ctx, Tenant } from "#platform/index.ts";
import type { NewException } from "../rows/exceptions.sql.ts";
import type { ReceivedRow } from "../rows/received.sql.ts";
import type { ExceptionKind, ExceptionRow, OrderRow, SessionRow } from "../shapes.ts";
import type { Money, Verdict } from "./decide.ts";

/** A payment that is being booked, with the rows that it affects. */
export interface Arrival {
  /** The caller's context, at the time of the database. */
  ctx: Ctx;
  tenant: Tenant;
  money: Money;
  /** Locked. */
  order: OrderRow | null;
  session: SessionRow | null;
  /** `session` is still to be written. */
  isNewSession: boolean;
  /** Earlier part payments held for this order, locked. */
  held: ExceptionRow[];
  /** The exception that holds this money, locked, if it is booked already. */
  from: ExceptionRow | null;
}

/** The result of a payment. */
export interface Settled {
  /** `kept`: held money of a paid order became the merchant's income. */
  outcome: "paid" | "underpaid" | "exception" | "kept";
  /** True if this external id was recorded before; nothing was changed. */
  repeat: boolean;
  order: OrderRow | null;
  exception: ExceptionRow | null;
}

/** Money that pays nothing yet: its transfer, and its exception. */
export interface Holding {
  transfer: NewTransfer;
  exception: NewException;
}

/** The ledger's name for the source of this money. */
export function causeOf({ money, from }: Pick<Arrival, "money" | "from">): string {
  if (from !== null) return `applied:${from.id}`;
  const again = money.attempt === undefined || money.attempt === 0 ? "" : `#${money.attempt}`;
  return `${money.gateway}:${money.external_id}${again}`;
}

export function sumOf(parts: readonly ExceptionRow[]): number {
  return parts.reduce((sum, part) => sum + part.amount_minor, 0);
}

/** A person's decision, not a provider's confirmation or a receipt. */
export function isDecided(money: Money): boolean {
  return money.source === "review" || money.source === "link" || money.source === "resolution";
}

/** The payment as first recorded; `exceptionId` names the exception that it will open. */
export function receivedRow({ ctx, tenant, money }: Arrival, verdict: Pick<Verdict, "kind">, exceptionId: string | null): ReceivedRow {
  const { order_id, session_id, gateway, external_id, source, amount_minor, currency, occurred_at } = money;
  return {
    project_id: tenant.project_id,
    livemode: tenant.livemode,
    gateway,
    external_id,
    order_id,
    payment_session_id: session_id,
    source,
    outcome: verdict.kind === "pay" ? "paid" : verdict.kind === "underpaid" ? "underpaid" : "exception",
    exception_id: exceptionId,
    receipt_id: money.receipt_id ?? null,
    amount_minor,
    currency,
    occurred_at,
    created_at: ctx.now(),
  };
}

/** The common fields of this money's transfers out of the wallet's custody. */
export function transferOf({ ctx, money, order }: Arrival): Omit<NewTransfer, "kind" | "credit" | "source" | "amount_minor"> {
  return {
    id: ctx.id("txn"),
    debit: "custody",
    currency: money.currency,
    gateway: money.gateway,
    order_id: order?.id ?? null,
    reference: order?.reference ?? null,
    payment_session_id: money.session_id,
    external_transaction_id: money.external_id,
    description: null,
    created_by: ctx.actor.id,
    now: ctx.now(),
  };
}

/** How an amount of this money is held, and why. */
export function holdingOf(arrival: Arrival, given: { id: string; kind: ExceptionKind; reason: string; amountMinor: number }): Holding {
  const account = given.kind === "overpaid" ? "excess" : "suspense";
  const transfer = {
    ...transferOf(arrival),
    kind: account,
    credit: account,
    source: causeOf(arrival),
    amount_minor: given.amountMinor,
  } as const;
  const { ctx, tenant, money, order, from } = arrival;
  return {
    transfer,
    exception: {
      project_id: tenant.project_id,
      livemode: tenant.livemode,
      id: given.id,
      kind: given.kind,
      order_id: order?.id ?? null,
      payment_session_id: money.session_id,
      receipt_id: money.receipt_id ?? null,
      gateway: money.gateway,
      external_id: money.external_id,
      amount_minor: given.amountMinor,
      currency: money.currency,
      transaction_id: transfer.id,
      detail: { reason: given.reason, source: money.source, occurred_at: money.occurred_at, ...(from === null ? {} : { of: from.id }) },
      created_at: ctx.now(),
    },
  };
}
