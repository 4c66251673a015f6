import { channels, personalMethodOf } from "#collection/index.ts";
import type { GatewayAction } from "#gateways/index.ts";
import type { Tenant } from "#platform/index.ts";
import type { FormerColumns, MethodData } from "./method-shapes.ts";
import type { GatewayPaymentStatus, OrderStatus, RefundStatus, SessionStatus, VoucherStatus } from "./states.ts";

/** True for a gateway that is a personal code: people enter its transfer numbers. */
export function isPersonal(gateway: string): boolean {
  return personalMethodOf(gateway) !== null;
}

export type OrderFlag =
  | "paid_late"
  | "underpaid"
  | "overpaid"
  | "manually_verified"
  | "auto_matched"
  | "duplicate_payment"
  | "payment_reversed"
  | "disputed";

export interface Customer {
  name?: string | null;
  email?: string | null;
  phone?: string | null;
}

export interface Rejection {
  reason_code: string;
  note: string | null;
  at: string | Date;
}

export interface OrderRow extends Tenant {
  id: string;
  reference: string;
  status: OrderStatus;
  flags: OrderFlag[];
  version: number;
  amount_minor: number;
  currency: string;
  exponent: number;
  /** The total of payments booked for it. */
  amount_received_minor: number;
  /** Money received for it that isn't its payment: part payments until the rest arrives, and excess. */
  amount_held_minor: number;
  amount_refunded_minor: number;
  /** Refunds that have neither succeeded nor failed. */
  amount_refunding_minor: number;
  /** The amount that the provider took for disputes that are open or lost, limited to what refunds left. */
  amount_disputed_minor: number;
  description: string | null;
  metadata: Record<string, string>;
  customer: Customer;
  return_url: string | null;
  locale: string;
  failure_code: string | null;
  rejection: Rejection | null;
  expires_at: Date;
  paid_at: Date | null;
  failed_at: Date | null;
  canceled_at: Date | null;
  /** When the buyer claimed to have paid although it was canceled. */
  claimed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** A paid order whose payment was reversed: later money pays it again. */
export function owesAgain({ status, flags }: Pick<OrderRow, "status" | "flags">): boolean {
  return status === "paid" && flags.includes("payment_reversed");
}

export interface LinkRow extends Tenant {
  id: string;
  order_id: string;
  token: string;
  revoked_at: Date | null;
  created_at: Date;
}

/** The link's public status: revoked, or derived from its order's state. */
export function linkStatus(order: { status: string }, link: { revoked_at: Date | null }): "active" | "paid" | "expired" | "revoked" {
  if (order.status === "paid") return "paid";
  if (link.revoked_at !== null) return "revoked";
  return order.status === "unpaid" || order.status === "pending_verify" ? "active" : "expired";
}

export interface SessionRow extends Tenant, FormerColumns {
  id: string;
  order_id: string;
  gateway: string;
  /** Name of the payment method; see `ctx.methods`. */
  method: string;
  /** Data of this kind of method; read it with `personalData` and `codeOf`. */
  method_data: MethodData;
  /**
   * The account that takes the money: a personal code's as `channel:account`, a gateway's credential by its id; null where it isn't known.
   */
  account: string | null;
  /** Channel of the collection profile; null for a gateway without one. */
  channel: string | null;
  status: SessionStatus;
  amount_minor: number;
  payable_amount_minor: number;
  currency: string;
  /** The requested amount or code, as a row of askings; null for a session without a receiving code. */
  asking_id: string | null;
  flags: "ambiguous_amount"[];
  expires_at: Date;
  reported_at: Date | null;
  verified_at: Date | null;
  reviewed_by: string | null;
  failure_code: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The known data of a session's payment at its provider. */
export interface GatewayPaymentRow extends Tenant {
  id: string;
  payment_session_id: string;
  order_id: string;
  gateway: string;
  credential_id: string;
  status: GatewayPaymentStatus;
  provider_id: string | null;
  /** The ids that its provider gave it before it was requested again; null for none. */
  earlier_ids: string[] | null;
  capture_id: string | null;
  provider_state: string | null;
  /** The number under which its money is booked. */
  settled_id: string | null;
  paid_minor: number | null;
  paid_currency: string | null;
  paid_at: Date | null;
  fee_minor: number | null;
  fee_currency: string | null;
  failure_code: string | null;
  failure_message: string | null;
  exception_id: string | null;
  /** When the buyer could first pay it. */
  opened_at: Date | null;
  /** Until when the session's `next_action` works, if that is before the session's end. */
  action_expires_at: Date | null;
  /** How many of the schedule's polls were due so far. */
  asks: number;
  /** How many of them in a row the provider didn't answer; null for none. */
  silent_asks: number | null;
  looks: number;
  watched_until: Date | null;
  /** What it was first requested with; null for payments of earlier versions. */
  title: string | null;
  locale: string | null;
  link_id: string | null;
  /** The query of the page where it was started, such as `?lang=zh`; empty for none. */
  page_query: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A payment through a gateway, with the related data of its response. */
export interface GatewayPaymentBundle {
  payment: GatewayPaymentRow;
  session: SessionRow;
  order: OrderRow;
  link: LinkRow | null;
}

/** True for a session that still waits for its payment. */
export function isOpen({ status }: Pick<SessionRow, "status">): boolean {
  return status === "pending" || status === "processing" || status === "pending_verify";
}

export interface VoucherRow extends Tenant {
  id: string;
  order_id: string;
  payment_session_id: string;
  status: VoucherStatus;
  asset_id: string | null;
  transaction_reference: string | null;
  /** The reference in comparable form; see `externalKey`. */
  reference_key: string | null;
  payer_name: string | null;
  paid_at: Date | null;
  amount_minor: number | null;
  note: string | null;
  sha256: string | null;
  risk_flags: string[];
  reviewed_by: string | null;
  reviewed_at: Date | null;
  rejection_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

export type ExceptionKind = "late" | "duplicate" | "underpaid" | "overpaid" | "unmatched" | "mismatch";

export interface ExceptionRow extends Tenant {
  id: string;
  kind: ExceptionKind;
  status: "open" | "resolved";
  order_id: string | null;
  payment_session_id: string | null;
  receipt_id: string | null;
  gateway: string;
  external_id: string;
  amount_minor: number;
  currency: string;
  /** The transfer that holds the money; null if it isn't booked. */
  transaction_id: string | null;
  detail: Record<string, unknown>;
  resolution: string | null;
  resolution_note: string | null;
  resolved_order_id: string | null;
  resolved_by: string | null;
  resolved_at: Date | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** An exception in responses: with the reference of its presumed order. */
export interface ShownException extends ExceptionRow {
  reference: string | null;
}

export const refundReasons = ["requested_by_customer", "duplicate", "not_delivered", "fraudulent", "other"] as const;
export const refundChannels = [...channels, "bank_transfer", "cash", "other"] as const;
export const refundFailures = ["not_sent", "returned"] as const;

export interface RefundRow extends Tenant {
  id: string;
  order_id: string | null;
  payment_session_id: string | null;
  /** The exception whose held money goes back; null for a refund of what the order received. */
  exception_id: string | null;
  gateway: string;
  method: "gateway" | "manual";
  status: RefundStatus;
  amount_minor: number;
  currency: string;
  reason: string | null;
  note: string | null;
  /** How a person refunded it, if one did. */
  channel: string | null;
  paid_back_by: string | null;
  paid_back_at: Date | null;
  external_transaction_id: string | null;
  asset_id: string | null;
  gateway_refund_id: string | null;
  next_action: GatewayAction | null;
  failure_code: string | null;
  failure_note: string | null;
  /** The transfer that booked it out. */
  transaction_id: string | null;
  created_by: string;
  version: number;
  succeeded_at: Date | null;
  failed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The known data of a refund at its provider; its id is the refund's, and its reference there. */
export interface GatewayRefundRow extends Tenant {
  id: string;
  payment_session_id: string;
  gateway: string;
  credential_id: string;
  provider_refund_id: string | null;
  provider_state: string | null;
  /** When the provider last reported on it; null while it is unknown whether the provider has it. */
  told_at: Date | null;
  request_key: string | null;
  exception_id: string | null;
  asks: number;
  state: "due" | "leased" | "set_aside" | "done";
  lease: string | null;
  lease_until: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** An order with the related data of its response: the newest link and the newest payment session. */
export interface OrderBundle {
  order: OrderRow;
  link: LinkRow | null;
  session: SessionRow | null;
}
