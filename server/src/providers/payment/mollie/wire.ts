import {
  type DisputeSnapshot,
  type GatewayAmount,
  type PaymentSnapshot,
  type PaymentState,
  type RefundSnapshot,
  wireAmounts,
} from "#gateways/index.ts";

/** Mollie's decimals are those of ISO 4217: none for króna and yen. */
const amounts = wireAmounts();

/** Our reference in the metadata of payments and refunds, next to the merchant's own keys. */
export const referenceKey = "tillpost_reference";
/** Our refund's reference in the metadata of refunds. */
export const refundKey = "tillpost_refund";

type Fields = Record<string, unknown>;

export interface WireAmount {
  currency: string;
  value: string;
}

/** The resource of a kind; null for anything else. */
export function readResource(value: unknown, resource: string): Fields | null {
  return typeof value === "object" && value !== null && (value as Fields)["resource"] === resource ? (value as Fields) : null;
}

/** The resources of a list, and where the next page starts. null for anything else, or if a resource or that place can't be read. */
export function readList(value: Fields, given: { under: string; resource: string }): { items: Fields[]; next: string | null } | null {
  const embedded = value["_embedded"] as Fields | undefined;
  const list = embedded?.[given.under];
  if (!Array.isArray(list)) return null;
  const items = list.map((item) => readResource(item, given.resource)).filter((item) => item !== null);
  const following = linkOf(value, "next");
  const next = following === null ? null : (URL.parse(following, "https://api.mollie.com")?.searchParams.get("from") ?? null);
  return items.length < list.length || (following !== null && next === null) ? null : { items, next };
}

/** An address among the links of a resource. */
export function linkOf(resource: Fields, name: string): string | null {
  const link = (resource["_links"] as Fields | null | undefined)?.[name] as { href?: unknown } | null | undefined;
  return textOf(link?.href);
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function metadataOf(resource: Fields, key: string): string | null {
  const metadata = resource["metadata"];
  return typeof metadata === "object" && metadata !== null ? textOf((metadata as Fields)[key]) : null;
}

/** An amount in Mollie's format. Throws `invalid` for one that it can't express. */
export function wireOf(amount: GatewayAmount): WireAmount {
  return { currency: amount.currency, value: amounts.decimal(amount) };
}

export function amountOf(value: unknown): GatewayAmount | null {
  if (typeof value !== "object" || value === null) return null;
  const { currency, value: text } = value as Fields;
  return typeof currency === "string" && typeof text === "string" ? amounts.ofDecimal(text, currency) : null;
}

/** A timestamp from Mollie, such as `2026-11-20T08:00:00+00:00`. */
export function timeOf(value: unknown): Date | null {
  const time = typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time;
}

/**
 * `pending`: the buyer is done, but the bank isn't. `authorized`: a buy-now-pay-later provider has approved, and pays when the goods are
 * sent.
 */
const states: Readonly<Record<string, PaymentState>> = {
  open: "pending",
  pending: "processing",
  authorized: "processing",
  paid: "succeeded",
  canceled: "canceled",
  expired: "expired",
  failed: "failed",
};

/** A payment from Mollie; null if its state isn't documented. */
export function paymentOf(payment: Fields): PaymentSnapshot | null {
  const providerState = textOf(payment["status"]) ?? "";
  const state = states[providerState];
  const providerId = textOf(payment["id"]);
  if (state === undefined || providerId === null) return null;
  const asked = amountOf(payment["amount"]);
  const disputes = disputesOf(payment, providerId);
  return {
    reference: metadataOf(payment, referenceKey),
    providerId,
    captureId: null,
    state,
    asked,
    paid: state === "succeeded" ? (capturedOf(payment) ?? asked) : null,
    refunded: amountOf(payment["amountRefunded"]),
    fee: null,
    paidAt: state === "succeeded" ? timeOf(payment["paidAt"]) : null,
    providerState,
    livemode: payment["mode"] === "live" ? true : payment["mode"] === "test" ? false : null,
    account: textOf(payment["profileId"]),
    failure: state === "failed" ? failureOf(payment) : null,
    ...(disputes === null ? {} : { disputes }),
  };
}

/** The captured part of an authorized amount: the merchant may capture less and release the rest. null for methods without captures. */
function capturedOf(payment: Fields): GatewayAmount | null {
  const captured = amountOf(payment["amountCaptured"]);
  return captured === null || captured.amount_minor === 0 ? null : captured;
}

function failureOf(payment: Fields): { code: string; message: string } {
  const reason = payment["statusReason"] as { code?: unknown; message?: unknown } | null | undefined;
  const details = payment["details"] as { failureReason?: unknown; failureMessage?: unknown } | null | undefined;
  return {
    code: textOf(reason?.code) ?? textOf(details?.failureReason) ?? "failed",
    message: textOf(reason?.message) ?? textOf(details?.failureMessage) ?? "The payment failed.",
  };
}

/** The chargebacks included with a payment; null if they weren't. Mollie reports no verdict: one that isn't reversed stays open. */
function disputesOf(payment: Fields, providerId: string): DisputeSnapshot[] | null {
  const list = (payment["_embedded"] as Fields | null | undefined)?.["chargebacks"];
  if (!Array.isArray(list)) return null;
  const reference = metadataOf(payment, referenceKey);
  return list.flatMap((item): DisputeSnapshot[] => {
    const chargeback = readResource(item, "chargeback");
    const providerDisputeId = textOf(chargeback?.["id"]);
    const amount = amountOf(chargeback?.["amount"]);
    const reversedAt = timeOf(chargeback?.["reversedAt"]);
    const occurredAt = reversedAt ?? timeOf(chargeback?.["createdAt"]);
    if (providerDisputeId === null || amount === null || occurredAt === null) return [];
    const reason = (chargeback?.["reason"] as { code?: unknown } | null | undefined)?.code;
    const state = reversedAt === null ? "opened" : "won";
    return [{ providerDisputeId, payment: { reference, providerId, captureId: null }, state, amount, reason: textOf(reason), occurredAt }];
  });
}

const refundStates: Readonly<Record<string, RefundSnapshot["state"]>> = {
  queued: "pending",
  pending: "pending",
  processing: "pending",
  refunded: "succeeded",
  failed: "failed",
  canceled: "failed",
};

/** A refund from Mollie; null if its state isn't documented. */
export function refundOf(refund: Fields): RefundSnapshot | null {
  const providerState = textOf(refund["status"]) ?? "";
  const state = refundStates[providerState];
  const providerRefundId = textOf(refund["id"]);
  if (state === undefined || providerRefundId === null) return null;
  return {
    refundReference: metadataOf(refund, refundKey),
    providerRefundId,
    state,
    amount: amountOf(refund["amount"]),
    claimUrl: null,
    providerState,
    failure:
      state === "failed" ? { code: providerState, message: "The refund wasn't paid out; the money is back in the Mollie balance." } : null,
  };
}
