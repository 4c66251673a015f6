import { assetUrl } from "#assets/index.ts";
import type { GatewayAction } from "#gateways/index.ts";
import { type Ctx, isoOf, type Tenant } from "#platform/index.ts";
import type { DisputeRow } from "../dispute-row.ts";
import type { PersonalData } from "../method-shapes.ts";
import { awayOf, codeOf, gatewayData, isDemo, personalData } from "../session/method-data.ts";
import {
  type LinkRow,
  linkStatus,
  type OrderBundle,
  type OrderRow,
  type RefundRow,
  type SessionRow,
  type ShownException,
  type VoucherRow,
} from "../shapes.ts";
import { type OrderWarning, warnOrders } from "./warn-orders.ts";

type Addressed = Pick<Ctx, "publicUrl">;
type Shown = Pick<Ctx, "publicUrl" | "now">;

/** Orders of one tenant as the API returns them, with their warnings. */
export async function orderViews(ctx: Ctx, tenant: Tenant, bundles: readonly OrderBundle[]) {
  const warningsOf = await warnOrders(ctx, tenant, bundles);
  return bundles.map((bundle) => viewOf(ctx, bundle, warningsOf(bundle)));
}

/** One order as the API returns it. */
export async function orderView(ctx: Ctx, bundle: OrderBundle) {
  const [view] = await orderViews(ctx, bundle.order, [bundle]);
  return view as NonNullable<typeof view>;
}

function viewOf(ctx: Shown, bundle: OrderBundle, warnings: OrderWarning[]) {
  const { order, link, session } = bundle;
  return {
    id: order.id,
    object: "order" as const,
    project_id: order.project_id,
    livemode: order.livemode,
    reference: order.reference,
    status: order.status,
    flags: order.flags,
    version: order.version,
    amount_minor: order.amount_minor,
    currency: order.currency,
    amount_received_minor: order.amount_received_minor,
    // A response that an earlier version stored for a repeated request lacks newer fields.
    amount_held_minor: order.amount_held_minor ?? 0,
    amount_refunded_minor: order.amount_refunded_minor,
    amount_disputed_minor: order.amount_disputed_minor ?? 0,
    description: order.description,
    metadata: order.metadata,
    customer: customerView(order),
    return_url: order.return_url,
    locale: order.locale,
    warnings,
    payment_link: link === null ? null : linkView(ctx, order, link),
    latest_payment_session: session === null ? null : sessionView(ctx, session, link),
    failure_code: order.failure_code,
    expires_at: isoOf(order.expires_at),
    paid_at: isoOf(order.paid_at),
    failed_at: isoOf(order.failed_at),
    canceled_at: isoOf(order.canceled_at),
    claimed_at: isoOf(order.claimed_at ?? null),
    created_at: isoOf(order.created_at),
    updated_at: isoOf(order.updated_at),
  };
}

function customerView(order: OrderRow) {
  return { name: order.customer.name ?? null, email: order.customer.email ?? null, phone: order.customer.phone ?? null };
}

/** Address of the hosted page behind a link's token. */
export function payUrl(ctx: Addressed, token: string): string {
  return `${ctx.publicUrl}/pay/${token}`;
}

export function linkView(ctx: Addressed, order: OrderRow, link: LinkRow) {
  return {
    id: link.id,
    object: "payment_link" as const,
    token: link.token,
    url: payUrl(ctx, link.token),
    status: linkStatus(order, link),
    expires_at: isoOf(order.expires_at),
    created_at: isoOf(link.created_at),
  };
}

/** A payment session as the API returns it. The buyer's next step is only included while it is possible. */
export function sessionView(ctx: Shown, session: SessionRow, link: LinkRow | null) {
  const personal = personalData(session);
  return {
    id: session.id,
    object: "payment_session" as const,
    project_id: session.project_id,
    livemode: session.livemode,
    order_id: session.order_id,
    gateway: session.gateway,
    // A result that the previous version stored for a repeated request has neither method nor account.
    method: session.method ?? session.gateway,
    method_data: shownData(personal),
    account: session.account ?? null,
    demo: isDemo(session),
    channel: session.channel,
    status: session.status,
    amount_minor: session.amount_minor,
    payable_amount_minor: session.payable_amount_minor,
    currency: session.currency,
    matching_mode: personal?.matching_mode ?? null,
    remark_code: personal?.remark_code ?? null,
    flags: session.flags,
    next_action: nextAction(ctx, session, link),
    expires_at: isoOf(session.expires_at),
    reported_at: isoOf(session.reported_at),
    verified_at: isoOf(session.verified_at),
    failure_code: session.failure_code,
    created_at: isoOf(session.created_at),
    updated_at: isoOf(session.updated_at),
  };
}

/** The method data that everyone who sees the session can see. */
function shownData(personal: PersonalData | null) {
  if (personal === null) return { type: "gateway" as const };
  const { type, payee_name, matching_mode, remark_code } = personal;
  return { type, payee_name, matching_mode, remark_code };
}

interface ShownCode {
  type: "display_qr";
  qr_payload: string | null;
  qr_svg_url: string | null;
  qr_png_url: string;
  instructions: Record<string, string>;
}

function nextAction(
  ctx: Shown,
  session: SessionRow,
  link: LinkRow | null,
): ShownCode | Exclude<GatewayAction, { type: "display_qr" }> | null {
  if (session.status !== "pending" || link === null || isOver(session, ctx.now())) return null;
  const code = codeOf(session);
  if (code === null) return awayOf(session);
  const page = payUrl(ctx, link.token);
  return {
    type: "display_qr",
    qr_payload: code.qr_payload,
    qr_svg_url: code.qr_payload === null ? null : `${page}/qr.svg`,
    qr_png_url: `${page}/qr.png`,
    instructions: personalData(session)?.instructions ?? {},
  };
}

/** Whether the session has expired, or the code or page of its provider before it: starting the payment again renews them. */
function isOver(session: SessionRow, now: Date): boolean {
  const end = gatewayData(session)?.action_expires_at ?? null;
  // In a result that was stored for a repeated request, times are texts.
  return new Date(session.expires_at) <= now || (end !== null && new Date(end) <= now);
}

/** A proof as the API returns it, with an address that shows its image for 15 minutes. */
export function voucherView(ctx: Ctx, voucher: VoucherRow) {
  const { id, project_id, livemode, order_id, payment_session_id, status, asset_id, reference_key: _compared, ...rest } = voucher;
  const { transaction_reference, payer_name, paid_at, amount_minor, note, sha256, risk_flags, reviewed_by, reviewed_at, rejection_reason } =
    rest;
  return {
    id,
    object: "voucher" as const,
    project_id,
    livemode,
    order_id,
    payment_session_id,
    status,
    asset_id,
    asset_url: asset_id === null ? null : assetUrl(ctx, { id: asset_id }),
    transaction_reference,
    payer_name,
    paid_at,
    amount_minor,
    note,
    sha256,
    risk_flags,
    reviewed_by,
    reviewed_at,
    rejection_reason,
    created_at: voucher.created_at,
    updated_at: voucher.updated_at,
  };
}

export function exceptionView(exception: ShownException) {
  const { id, project_id, livemode, kind, status, order_id, reference, payment_session_id, receipt_id, gateway, external_id, ...rest } =
    exception;
  const {
    amount_minor,
    currency,
    transaction_id,
    detail,
    resolution,
    resolution_note,
    resolved_order_id,
    resolved_by,
    resolved_at,
    version,
  } = rest;
  return {
    id,
    object: "payment_exception" as const,
    project_id,
    livemode,
    kind,
    status,
    order_id,
    reference,
    payment_session_id,
    receipt_id,
    gateway,
    external_id,
    amount_minor,
    currency,
    transaction_id,
    detail,
    resolution,
    resolution_note,
    resolved_order_id,
    resolved_by,
    resolved_at,
    version,
    created_at: exception.created_at,
    updated_at: exception.updated_at,
  };
}

export function disputeView(dispute: DisputeRow) {
  const {
    id,
    project_id,
    livemode,
    credential_id,
    order_id,
    payment_session_id,
    gateway,
    provider_dispute_id,
    status,
    amount_minor,
    currency,
    ...rest
  } = dispute;
  const { reason, in_books, fee_minor, fee_currency, transaction_id, exception_id, told_at, created_at, ended_at, version, updated_at } =
    rest;
  const isEnded = status === "won" || status === "lost";
  return {
    ...{ id, object: "dispute" as const, project_id, livemode, credential_id, order_id, payment_session_id, gateway, provider_dispute_id },
    ...{ status, amount_minor, currency, reason, in_books, fee_minor, fee_currency, transaction_id, payment_exception_id: exception_id },
    ...{ told_at, created_at, ended_at: isEnded ? ended_at : null, version, updated_at },
  };
}

/** A refund as the API returns it, with an address that shows its image for 15 minutes. */
export function refundView(ctx: Ctx, refund: RefundRow) {
  const { id, project_id, livemode, order_id, exception_id, payment_session_id, gateway, method, status, amount_minor, currency, ...rest } =
    refund;
  return {
    id,
    object: "refund" as const,
    project_id,
    livemode,
    order_id,
    exception_id,
    payment_session_id,
    gateway,
    method,
    status,
    amount_minor,
    currency,
    reason: rest.reason,
    note: rest.note,
    channel: rest.channel,
    paid_back_by: rest.paid_back_by,
    paid_back_at: rest.paid_back_at,
    external_transaction_id: rest.external_transaction_id,
    asset_id: rest.asset_id,
    asset_url: rest.asset_id === null ? null : assetUrl(ctx, { id: rest.asset_id }),
    gateway_refund_id: rest.gateway_refund_id,
    next_action: rest.next_action,
    failure_code: rest.failure_code,
    failure_note: rest.failure_note,
    transaction_id: rest.transaction_id,
    created_by: rest.created_by,
    version: rest.version,
    succeeded_at: rest.succeeded_at,
    failed_at: rest.failed_at,
    created_at: rest.created_at,
    updated_at: rest.updated_at,
  };
}
