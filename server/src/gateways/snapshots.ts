/** An amount as orders have it: a positive integer in the currency's ISO 4217 minor units. Adapters convert the provider's format. */
export interface GatewayAmount {
  amount_minor: number;
  currency: string;
}

/**
 * The state of a payment at its provider. `succeeded` is final; `expired` and `canceled` may still become `succeeded` if the provider
 * accepts late payments.
 */
export type PaymentState = "pending" | "processing" | "succeeded" | "failed" | "expired" | "canceled";

/** The buyer's next step at a gateway. */
export type GatewayAction =
  | { type: "display_qr"; qr_payload: string }
  | { type: "redirect"; url: string }
  | { type: "form"; action: string; fields: Record<string, string> }
  | { type: "wechat_jsapi"; params: Record<string, string> };

/** How to find a payment again: by our reference, and by the provider's id if it returned one. */
export interface PaymentKey {
  reference: string;
  providerId: string | null;
}

/** A payment as its provider reports it. */
export interface PaymentSnapshot {
  /** Null if the provider doesn't return it, so that it was found by its id. */
  reference: string | null;
  providerId: string | null;
  /** The provider's id of the money itself, if it differs from the payment's: for refunds and statements. */
  captureId: string | null;
  state: PaymentState;
  /** The requested amount; null if it isn't reported. */
  asked: GatewayAmount | null;
  /** The paid amount; null until something was paid. */
  paid: GatewayAmount | null;
  /** The refunded amount so far; null if it isn't reported. */
  refunded: GatewayAmount | null;
  /** True if the provider reports that some or all of it was refunded, but not how much. */
  wasRefunded?: true;
  /** The provider's fee; null if it isn't reported (yet). */
  fee: GatewayAmount | null;
  /** True if there may be a fee that this report doesn't include: a later query does. */
  feeLater?: true;
  paidAt: Date | null;
  /** The provider's own name of the state, for logs. */
  providerState: string;
  /** False for a payment of a test account; null if it isn't reported. */
  livemode: boolean | null;
  /** The receiving account, as the provider names it; null if it isn't reported. */
  account: string | null;
  failure: { code: string; message: string } | null;
  /** The payment's disputes, if the payment query returns them; missing if only callbacks do. */
  disputes?: readonly DisputeSnapshot[];
}

/** A payment that the buyer can pay now. */
export interface CreatedPayment extends PaymentSnapshot {
  action: GatewayAction;
  /** Until when the code or page of `action` works, if that is earlier than the payment's end. */
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

/** A dispute or chargeback of a payment, as reported by its provider. */
export interface DisputeSnapshot {
  providerDisputeId: string;
  /** The payment, by any of the provider's ids. */
  payment: { reference: string | null; providerId: string | null; captureId: string | null };
  /**
   * `opened`: the money is gone for now. `won`: it's back, or was never taken. `lost`: it stays gone. `inquiry`: the provider inquires, and
   * nothing is taken.
   */
  state: "inquiry" | "opened" | "won" | "lost";
  amount: GatewayAmount;
  /**
   * Present if `amount` is all that the buyer got back since this time, from the provider or the merchant: what is booked as refunds since
   * then, until the dispute was first lost, isn't taken again.
   */
  refundedSince?: Date;
  /** The provider's own name of the reason. */
  reason: string | null;
  /** When the provider reached this state: reports with an earlier time change nothing. */
  occurredAt: Date;
  /** The provider's fee for the dispute so far; null for none, missing if it isn't reported. */
  fee?: GatewayAmount | null;
}

/** One payment or refund in a provider's list of settlements, for the daily comparison. */
export interface SettledLine {
  kind: "payment" | "refund";
  reference: string | null;
  providerId: string | null;
  captureId: string | null;
  amount: GatewayAmount;
  /** The provider's fee, if the buyer may have paid it on top, which the list doesn't say: then `amount` contains it. */
  includedFee?: GatewayAmount;
  /** The provider's fee, if only the list tells it. */
  fee?: GatewayAmount;
  /** True if the provider charged the merchant a fee for it, which a query of the payment reports. */
  hasFee?: true;
  /** True for a refund that the provider is still processing, so that it may fail. */
  isProcessing?: true;
  occurredAt: Date;
}

/** A line of such a list that can't be read: it may be a payment or a refund. */
export interface UnreadableLine {
  kind: "unreadable";
  /** The provider's id, or the line's place: the same whenever the list is read. At most 100 characters. */
  name: string;
  /** Null if they can't be read either. */
  reference: string | null;
  providerId: string | null;
  captureId: string | null;
}

/** A line of a provider's list of settlements. */
export type ListedLine = SettledLine | UnreadableLine;
