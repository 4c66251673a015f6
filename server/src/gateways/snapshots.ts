/** An amount as orders have it: a positive integer in the currency's ISO 4217 minor units. How a provider writes it is its adapter's business. */
export interface GatewayAmount {
  amount_minor: number;
  currency: string;
}

/** Where a payment stands at its provider. `succeeded` is final; `expired` and `canceled` may still become `succeeded` where the provider takes late money. */
export type PaymentState = "pending" | "processing" | "succeeded" | "failed" | "expired" | "canceled";

/** What a gateway has the buyer do next. */
export type GatewayAction =
  | { type: "display_qr"; qr_payload: string }
  | { type: "redirect"; url: string }
  | { type: "form"; action: string; fields: Record<string, string> }
  | { type: "wechat_jsapi"; params: Record<string, string> };

/** How a payment is found again: by our reference, and by the provider's id where it told one. */
export interface PaymentKey {
  reference: string;
  providerId: string | null;
}

/** A payment as its provider tells it. */
export interface PaymentSnapshot {
  /** Null where the provider doesn't tell it, so that it was found by its id. */
  reference: string | null;
  providerId: string | null;
  /** The provider's id of the money itself, where it differs from the payment's: what a refund names and a statement lists. */
  captureId: string | null;
  state: PaymentState;
  /** What the provider was asked to collect; null where it doesn't tell. */
  asked: GatewayAmount | null;
  /** What the buyer paid; null until something was paid. */
  paid: GatewayAmount | null;
  /** What went back to the buyer so far; null where the provider doesn't tell. */
  refunded: GatewayAmount | null;
  /** What the provider keeps for itself; null where it doesn't tell (yet). */
  fee: GatewayAmount | null;
  paidAt: Date | null;
  /** The provider's own word for the state, for logs. */
  providerState: string;
  /** False for a payment of a test account; null where the provider doesn't tell. */
  livemode: boolean | null;
  /** The account that the money went to, as the provider names it; null where it doesn't tell. */
  account: string | null;
  failure: { code: string; message: string } | null;
  /** The payment's disputes, where asking for a payment tells them; missing where only callbacks do. */
  disputes?: readonly DisputeSnapshot[];
}

/** A payment that the buyer can pay now. */
export interface CreatedPayment extends PaymentSnapshot {
  action: GatewayAction;
  /** Until when the code or page of `action` works, where that is earlier than the payment's end. */
  actionExpiresAt: Date | null;
}

export interface RefundSnapshot {
  refundReference: string | null;
  providerRefundId: string | null;
  /** `requires_action`: the buyer has to claim it at `claimUrl`. A refund that succeeded may fail later. */
  state: "pending" | "requires_action" | "succeeded" | "failed";
  amount: GatewayAmount | null;
  claimUrl: string | null;
  providerState: string;
  failure: { code: string; message: string } | null;
}

/** A dispute or chargeback of a payment, as far as its provider tells. */
export interface DisputeSnapshot {
  providerDisputeId: string;
  /** The payment, by whatever the provider names. */
  payment: { reference: string | null; providerId: string | null; captureId: string | null };
  /** `opened`: the money is gone for now. `won`: it is back, or was never taken. `lost`: it stays gone. `inquiry`: the provider asks, nothing is taken. */
  state: "inquiry" | "opened" | "won" | "lost";
  amount: GatewayAmount;
  /** The provider's own word for the reason. */
  reason: string | null;
  /** When the provider came to this state: what it tells of an earlier moment changes nothing. */
  occurredAt: Date;
  /** What the provider keeps for the dispute itself, so far; null for nothing, missing where it doesn't tell. */
  fee?: GatewayAmount | null;
}

/** One payment or refund in a provider's own list of what it settled, for the daily comparison. */
export interface SettledLine {
  kind: "payment" | "refund";
  reference: string | null;
  providerId: string | null;
  captureId: string | null;
  amount: GatewayAmount;
  occurredAt: Date;
}
