import { platformErrors } from "#platform/index.ts";

const family = (prefix: string, names: string) => names.split(" ").map((name) => `${prefix}.${name}`);

/** Every event that exists, in the order of the documentation. */
export const eventNames: readonly string[] = [
  ...family("order", "paid failed payment_pending_verify created expired verification_rejected"),
  "transaction.completed",
  ...family("payment", "session.created session.failed exception reversed"),
  ...family("refund", "succeeded failed"),
  ...family("dispute", "opened won lost"),
  ...family(
    "email",
    "queued scheduled sent delivery_delayed delivered bounced complained failed suppressed canceled opened clicked unsubscribed received",
  ),
  ...family("sms", "queued scheduled sent delivered undelivered failed canceled received opted_out"),
  ...family("call", "scheduled queued initiated ringing in_progress gathered recording_ready completed busy no_answer failed canceled"),
  ...family("verification", "created sent approved failed expired canceled"),
  ...family("domain", "verified failed"),
  ...family("number", "approved rejected"),
  ...family("messaging", "cap_warning cap_reached paused released"),
  ...family("suppression", "created deleted"),
  "webhook.test",
];

/** High-volume names that `*` leaves out. */
export const quietNames: readonly string[] = ["email.queued", "email.opened", "email.clicked"];

/** A family is everything before the first dot: `order.*`, `email.*`. */
export const eventFamilies: readonly string[] = [...new Set(eventNames.map((name) => `${name.split(".")[0]}.*`))].filter(
  (name) => name !== "webhook.*",
);
const known = new Set([...eventNames, ...eventNames.map((name) => `${name.split(".")[0]}.*`), "*"]);

/**
 * Names, families and `*`, without duplicates: the subscriptions of endpoints and the filters of lists and streams. Throws
 * parameter_invalid with every name that does not exist.
 */
export function checkEvents(wanted: readonly string[], param = "events"): string[] {
  const wrong = wanted.flatMap((name, index) =>
    known.has(name)
      ? []
      : [
          {
            param: `${param}[${index}]`,
            code: "parameter_invalid",
            reason: "unknown_event",
            values: { value: name.slice(0, 80) },
            message: `The event ${name.slice(0, 80)} doesn't exist. ${suggestion(name)}`,
          },
        ],
  );
  if (wrong[0] !== undefined) throw platformErrors.parameter_invalid({ param, message: wrong[0].message, details: wrong });
  return [...new Set(wanted)];
}

/**
 * A predicate for the names that `wanted` includes, by the rule of endpoint subscriptions; null includes all. Throws as `checkEvents` does.
 */
export function eventFilter(wanted: readonly string[] | null, param: string): (name: string) => boolean {
  if (wanted === null) return () => true;
  const set = new Set(checkEvents(wanted, param));
  return (name) => set.has(name) || set.has(`${name.split(".")[0]}.*`) || (set.has("*") && !quietNames.includes(name));
}

/** The name of an existing event, for a test. Throws parameter_invalid. */
export function checkEvent(name: string, param = "event"): string {
  if (eventNames.includes(name)) return name;
  throw platformErrors.parameter_invalid({
    param,
    reason: "unknown_event",
    values: { value: name.slice(0, 80) },
    message: `The event ${name.slice(0, 80)} doesn't exist. ${suggestion(name)}`,
  });
}

function suggestion(name: string): string {
  const prefix = name.split(".")[0];
  const near = eventNames.filter((one) => one.startsWith(`${prefix}.`));
  return near.length > 0
    ? `Did you mean one of ${near.join(", ")}?`
    : `Names are ${eventFamilies.join(", ")} and *; the webhooks guide lists them all.`;
}
