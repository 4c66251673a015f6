/**
 * What a provider's simulator is made of. A simulator is the provider's side, written from its published specification: it shares no code with the adapter that it
 * answers, so that the two cannot share a mistake.
 */

/** Things that the provider remembers, by kind and key: payments, refunds, keys, sent callbacks. Values are JSON. */
export interface SimulatorDocuments {
  get<T>(kind: string, key: string): Promise<T | null>;
  put(kind: string, key: string, value: unknown): Promise<void>;
  /** Every value of a kind, oldest first. */
  list<T>(kind: string): Promise<T[]>;
}

/** A callback on its way to the merchant. */
export interface SimulatedCallback {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Whether an answer counts as taken, by the provider's rule; otherwise it is sent again. */
  accepts(answer: { status: number; body: string }): boolean;
  /** Creates the bytes of a repeat, if the provider signs each delivery separately; null sends the same bytes. */
  again: (() => Promise<Pick<SimulatedCallback, "headers" | "body">>) | null;
  /** Seconds between a delivery that was not taken and the next, by the provider's published schedule. */
  retrySeconds: readonly number[];
}

/** What a simulator may reach. */
export interface SimulatorWorld {
  /** Where its API and its pages are reached, without a trailing slash; it may have a path. */
  readonly origin: string;
  now(): Date;
  /** So many random characters of `0-9A-Za-z`. */
  token(length: number): string;
  readonly documents: SimulatorDocuments;
  /** Sends a callback and its repeats; does not wait for them. */
  send(callback: SimulatedCallback): Promise<void>;
}

/**
 * What the buyer, the bank or the provider does with a payment.
 * `paid` and its variations: `underpaid`, `overpaid` where the provider lets a buyer; `late` pays after the payment ended; `silent` pays and no callback is sent;
 * `duplicate` sends the callback three times; `out_of_order` sends an older event after the one that tells of the payment.
 * `processing`: approved, and decided later by another act. `disputed`, `dispute_won`, `dispute_lost`: of a paid payment.
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
  | "disputed"
  | "dispute_won"
  | "dispute_lost";

/** What becomes of a refund that the provider accepted: it succeeds, fails, or fails after it had succeeded. */
export type SimulatedRefundOutcome = "succeeded" | "failed" | "failed_later";

/**
 * A fault that the next request meets. `lost_answer`: it is carried out and the connection ends without an answer; a simulator may keep it for the next request that
 * changes something. `garbage`: an answer that is no answer of the provider's, after it was carried out.
 */
export type SimulatedFault = "lost_answer" | "refused" | "server_error" | "rate_limited" | "garbage" | "bad_signature";

export interface ProviderSimulator {
  readonly slug: string;
  /** The outcomes that this provider knows, in the order in which its page offers them. */
  readonly outcomes: readonly SimulatedOutcome[];
  /** Paths below `origin` that buyers' browsers open. Everything else is its API. */
  readonly pages: RegExp;
  /** Optional fields that a demo account leaves empty: what they open is shown by the provider's own app alone, which knows nothing of a simulated one. */
  readonly notInDemo?: readonly string[];
  /** An account of its own making: the fields that a merchant would copy from the provider's pages. The same name gives the same account. */
  openAccount(world: SimulatorWorld, account: string): Promise<Record<string, string>>;
  /** Enters the address of an account's callbacks, as a merchant does by hand at the provider. Only where payments don't name it themselves (`callbackPerPayment`). */
  enterCallbackUrl?(world: SimulatorWorld, given: { account: string; url: string }): Promise<void>;
  /** The provider's API, and the page on which the buyer chooses an outcome. Rejects where a real connection would end without an answer. */
  handle(world: SimulatorWorld, request: Request): Promise<Response>;
  /** Lets something happen to the payment of a reference of ours. Throws where the provider doesn't know it or the outcome is not in `outcomes`. */
  act(world: SimulatorWorld, act: { reference: string; outcome: SimulatedOutcome }): Promise<void>;
  /** Decides a refund that waits, or takes back one that succeeded, by our refund reference. */
  actOnRefund(world: SimulatorWorld, act: { refundReference: string; outcome: SimulatedRefundOutcome }): Promise<void>;
  /** The next request to the API meets this fault. */
  breakNext(world: SimulatorWorld, fault: SimulatedFault): Promise<void>;
  /** The authorities of the certificates that it signs with, in PEM. */
  roots?(world: SimulatorWorld): Promise<readonly string[]>;
  /** A callback that the provider would send now for the newest event of a payment, without sending it. */
  callbackOf(world: SimulatorWorld, reference: string): Promise<SimulatedCallback>;
}
