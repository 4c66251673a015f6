/**
 * The parts of a provider's simulator. A simulator is the provider's side, written from its published specification: it shares no code with
 * the adapter that calls it, so that the two can't share a mistake.
 */

/** The provider's documents, by kind and key: payments, refunds, keys, sent callbacks. Values are JSON. */
export interface SimulatorDocuments {
  get<T>(kind: string, key: string): Promise<T | null>;
  put(kind: string, key: string, value: unknown): Promise<void>;
  /** Every value of a kind, oldest first. */
  list<T>(kind: string): Promise<T[]>;
}

/** A callback to send to the merchant. */
export interface SimulatedCallback {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Whether a response counts as accepted, by the provider's rule; otherwise it is sent again. */
  accepts(answer: { status: number; body: string }): boolean;
  /** Creates the bytes of a repeat, if the provider signs each delivery separately; null sends the same bytes. */
  again: (() => Promise<Pick<SimulatedCallback, "headers" | "body">>) | null;
  /** Seconds between a delivery that wasn't accepted and the next, by the provider's published schedule. */
  retrySeconds: readonly number[];
}

/** The environment of a simulator. */
export interface SimulatorWorld {
  /** The address of its API and its pages, without a trailing slash; it may have a path. */
  readonly origin: string;
  now(): Date;
  /** This many random characters of `0-9A-Za-z`. */
  token(length: number): string;
  readonly documents: SimulatorDocuments;
  /** Sends a callback and its repeats without waiting for them. */
  send(callback: SimulatedCallback): Promise<void>;
}

/**
 * Actions of the buyer, the bank or the provider on a payment. `paid` and its variations: `underpaid`, `overpaid` if the provider lets a
 * buyer; `late` pays after the payment ended; `silent` pays and no callback is sent; `duplicate` sends the callback three times;
 * `out_of_order` sends an older event after the one that reports the payment. `processing`: approved, and decided later by another act.
 * `auto_refunded`: approved, never captured, and refunded automatically by the provider. `disputed`, `dispute_won`, `dispute_lost`: of a
 * paid payment.
 */
export type SimulatedOutcome =
  | "paid"
  | "declined"
  | "canceled"
  | "expired"
  | "processing"
  | "late"
  | "silent"
  | "duplicate"
  | "out_of_order"
  | "underpaid"
  | "overpaid"
  | "auto_refunded"
  | "disputed"
  | "dispute_won"
  | "dispute_lost";

/** The outcome of a refund that the provider accepted: it succeeds, fails, or fails after it had succeeded. */
export type SimulatedRefundOutcome = "succeeded" | "failed" | "failed_later";

/**
 * A fault of the next request. `lost_answer`: the next one that changes something is carried out, and the connection ends without a
 * response. `garbage`: it's carried out, and the response isn't one of the provider's.
 */
export type SimulatedFault = "lost_answer" | "refused" | "server_error" | "rate_limited" | "garbage" | "bad_signature";

export interface ProviderSimulator {
  readonly slug: string;
  /** The outcomes that this provider supports, in the order of its page. */
  readonly outcomes: readonly SimulatedOutcome[];
  /** Paths below `origin` that buyers' browsers open. All others are its API. */
  readonly pages: RegExp;
  /**
   * Optional fields that a demo account leaves empty: only the provider's own app shows what they enable, and it knows nothing of a
   * simulated payment.
   */
  readonly notInDemo?: readonly string[];
  /** A generated account: the fields that a merchant would copy from the provider's pages. The same name gives the same account. */
  openAccount(world: SimulatorWorld, account: string): Promise<Record<string, string>>;
  /**
   * Enters the address for an account's callbacks, as a merchant does at the provider. Only if payments don't include it
   * (`callbackPerPayment`).
   */
  enterCallbackUrl?(world: SimulatorWorld, given: { account: string; url: string }): Promise<void>;
  /**
   * The provider's API, and the page on which the buyer chooses an outcome. Rejects where a real connection would end without a response.
   */
  handle(world: SimulatorWorld, request: Request): Promise<Response>;
  /**
   * Applies an outcome to the payment with one of our references. Throws if the provider doesn't know it or the outcome isn't in
   * `outcomes`.
   */
  simulate(world: SimulatorWorld, action: { reference: string; outcome: SimulatedOutcome }): Promise<void>;
  /** Decides a waiting refund, or reverts a successful one, by our refund reference. */
  simulateRefund(world: SimulatorWorld, action: { refundReference: string; outcome: SimulatedRefundOutcome }): Promise<void>;
  /** The fault for the next request to the API. */
  breakNext(world: SimulatorWorld, fault: SimulatedFault): Promise<void>;
  /** The authorities of the certificates that it signs with, in PEM. */
  roots?(world: SimulatorWorld): Promise<readonly string[]>;
  /** The callback for the newest event of a payment, without sending it. */
  callbackOf(world: SimulatorWorld, reference: string): Promise<SimulatedCallback>;
}
