const family = (prefix: string, names: string) => names.split(" ").map((name) => `${prefix}.${name}`);

/** Every event that a project can be told of. */
export const eventNames: readonly string[] = [
  "order.paid",
  "order.failed",
  "order.payment_pending_verify",
  "transaction.completed",
  "payment.session.created",
  "order.created",
  "order.expired",
  "order.verification_rejected",
  "payment.session.failed",
  "refund.succeeded",
  "refund.failed",
  "payment.exception",
  ...family("email", "queued scheduled sent delivery_delayed delivered bounced complained failed suppressed canceled opened clicked unsubscribed received"),
  ...family("sms", "queued scheduled sent delivered undelivered failed canceled received opted_out"),
  ...family("call", "queued initiated ringing in_progress completed busy no_answer failed canceled recording_ready"),
  "domain.verified",
  "domain.failed",
  "suppression.created",
  "suppression.deleted",
  "webhook.test",
];

/** Names that `*` leaves out, because they are many and tell little. */
export const quietNames: readonly string[] = ["email.queued", "email.opened", "email.clicked"];

const known = new Set([...eventNames, "*", "email.*", "sms.*", "call.*"]);

/** True for what an endpoint may subscribe to: a name, a channel's whole family, or `*`. */
export function isSubscription(name: string): boolean {
  return known.has(name);
}
