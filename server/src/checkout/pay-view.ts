/**
 * Where the buyer stands. `choose` and `pay` can be paid, `checking` waits for the merchant, `paid` is the happy end;
 * the others are ends that still let the buyer speak up.
 */
export type PayState = "choose" | "pay" | "checking" | "paid" | "expired" | "revoked" | "canceled" | "failed";

export interface PaySession {
  gateway: string;
  /** Name of the payment method. */
  method: string;
  /** `gateway`: a provider reports whether it is paid, so no one has to review it. */
  kind: "personal_qr" | "gateway";
  /** Whether the provider is simulated: no money moves. */
  demo: boolean;
  /** Whether the buyer pays elsewhere: the page leads them there. */
  leads_away: boolean;
  /**
   * The device that a provider's payment was last opened for: on another it is opened again. Null if unknown, or if opening it again may
   * help.
   */
  device: string | null;
  /** Whether a buyer inside a wallet's app would pay in another way in their phone's own browser. */
  in_browser: boolean;
  status: string;
  payable_amount_minor: number;
  /** What the buyer writes into the transfer's note, where the merchant matches by it. */
  remark_code: string | null;
  payee_name: string | null;
  /** The text of the code, for a link into the wallet's app; null when only a picture of the code exists. */
  qr_payload: string | null;
  /** The merchant's own words by language tag, such as `zh-CN`. */
  instructions: Record<string, string>;
  expires_at: Date | null;
}

/** Everything the holder of a payment link may see. It is also the body of `GET /api/public/pay/:token`. */
export interface PayView {
  object: "payment_page";
  token: string;
  livemode: boolean;
  /** Differs whenever what the page shows has changed; compare for equality alone. */
  version: string;
  /** The language that the merchant asked for; `auto` leaves it to the buyer's browser. */
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
    /** Of a canceled order: money of it that waits for the merchant's decision. */
    held_minor: number;
    expires_at: Date;
    /** What went back of what arrived. */
    refunded_minor: number;
    /** What was paid back and did not reach the buyer: the merchant has it again. */
    returned_minor: number;
    /** A payment that turned out to be none has no receipt. */
    has_receipt: boolean;
    paid_at: Date | null;
    paid_late: boolean;
    return_url: string | null;
  };
  /** Money that goes back once the buyer says where: for each refund, the page on which they do. */
  refund_claims: { amount_minor: number; url: string }[];
  /** Names of the payment methods that can take the order, in the order in which they are offered. */
  channels: string[];
  /** Those of them whose provider is simulated; none in LIVE. */
  demo_channels: string[];
  session: PaySession | null;
  /** Why the merchant could not confirm the last payment that was reported. */
  rejection: { reason_code: string; note: string | null } | null;
  reported_at: Date | null;
  proof: { submitted_at: Date } | null;
  /** How long this merchant's last checks took, once there are enough of them to say. */
  usual_review_minutes: number | null;
  can_report: boolean;
  can_prove: boolean;
  /** Whether a report can be withdrawn: no decision was made, and the order could still be paid. */
  can_withdraw: boolean;
  simulate: boolean;
}
