/**
 * The buyer's state. `choose` and `pay` can be paid, `checking` waits for the merchant, `paid` is the successful end; the others are ends
 * at which the buyer can still report something.
 */
export type PayState = "choose" | "pay" | "checking" | "paid" | "expired" | "revoked" | "canceled" | "failed";

export interface PaySession {
  gateway: string;
  /** Name of the payment method. */
  method: string;
  /** `gateway`: a provider reports whether it is paid, so no one has to review it. */
  kind: "personal_qr" | "gateway";
  /** Whether the provider is simulated, so that no real money moves. */
  demo: boolean;
  /** Whether the buyer pays elsewhere: the page redirects them there. */
  leads_away: boolean;
  /**
   * The device that a provider's payment was last opened for: on another device it's opened again. null if unknown, or if opening it again
   * may help.
   */
  device: string | null;
  /** Whether a buyer inside a wallet's app would pay another way in their phone's own browser. */
  in_browser: boolean;
  status: string;
  /** Whether it failed because it only brought a part of the amount. Other reasons are the provider's words, and for the merchant. */
  underpaid: boolean;
  /** Whether it expired because its provider didn't report for days whether it is paid. */
  outcome_unknown: boolean;
  payable_amount_minor: number;
  /** What the buyer writes into the transfer's note, if the merchant matches by it. */
  remark_code: string | null;
  payee_name: string | null;
  /**
   * The content of the code, for a link into the wallet's app; null if only a picture of the code exists, and for a provider's code that
   * has expired before its payment.
   */
  qr_payload: string | null;
  /** The merchant's own words by language tag, such as `zh-CN`. */
  instructions: Record<string, string>;
  expires_at: Date | null;
}

/** Everything that the holder of a payment link may see. It's also the body of `GET /api/public/pay/:token`. */
export interface PayView {
  object: "payment_page";
  token: string;
  livemode: boolean;
  /** Changes whenever what the page shows changes; compare only for equality. */
  version: string;
  /** The language that the merchant requested; `auto` leaves it to the buyer's browser. */
  locale: string;
  state: PayState;
  merchant: { name: string; logo_url: string | null; contact: string | null };
  order: {
    reference: string;
    description: string | null;
    amount_minor: number;
    currency: string;
    exponent: number;
    received_minor: number;
    rest_minor: number;
    /** For a canceled order: its money that waits for the merchant's decision. */
    held_minor: number;
    expires_at: Date;
    /** The refunded part of what arrived. */
    refunded_minor: number;
    /** Refunds that didn't reach the buyer: the merchant has the money again. */
    returned_minor: number;
    /** A reversed payment has no receipt. */
    has_receipt: boolean;
    paid_at: Date | null;
    paid_late: boolean;
    return_url: string | null;
  };
  /** Refunds that wait for the buyer to say where the money goes: for each, the page for that. */
  refund_claims: { amount_minor: number; url: string }[];
  /** Names of the payment methods that can take the order, in the order in which they are offered. */
  channels: string[];
  /** Those of them whose provider is simulated; none in LIVE. */
  demo_channels: string[];
  session: PaySession | null;
  /** Why the merchant couldn't confirm the last reported payment. */
  rejection: { reason_code: string; note: string | null } | null;
  reported_at: Date | null;
  proof: { submitted_at: Date } | null;
  /** How long this merchant's last reviews took, once there are enough of them. */
  usual_review_minutes: number | null;
  can_report: boolean;
  can_prove: boolean;
  /** Whether a report can be withdrawn: no decision was made, and the order could still be paid. */
  can_withdraw: boolean;
  simulate: boolean;
}
