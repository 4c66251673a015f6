/** TEST recipients whose messages are refused immediately, and why. */
const refusedRecipients: Readonly<Record<string, "invalid" | "no_route" | "opted_out" | "not_mobile">> = {
  "+15005550001": "invalid",
  "+15005550002": "no_route",
  "+15005550004": "opted_out",
  "+15005550009": "not_mobile",
};

/** What happens to a message after it was accepted. */
export type SimulatedOutcome = "delivered" | "undelivered" | "failed" | "expired" | "no_receipt" | "early_receipt";

const outcomes: Readonly<Record<string, SimulatedOutcome>> = {
  "+15005551000": "delivered",
  "+15005551001": "undelivered",
  "+15005551002": "failed",
  "+15005551003": "expired",
  "+15005551004": "no_receipt",
  "+15005551005": "early_receipt",
};

/** The sender of a TEST message whose request has none. */
export const usualTestSender = "+15005550006";
/** TEST senders that simulate someone else's number, and a full queue. */
export const foreignTestSender = "+15005550007";
export const fullTestSender = "+15005550008";

/** Why a message to this number is refused immediately in TEST; null if it is accepted. */
export function simulatedRefusal(recipient: string): (typeof refusedRecipients)[string] | null {
  return refusedRecipients[recipient] ?? null;
}

/** The outcome of a TEST message to this number: delivered for nearly all. */
export function simulatedOutcome(recipient: string): SimulatedOutcome {
  return outcomes[recipient] ?? "delivered";
}
