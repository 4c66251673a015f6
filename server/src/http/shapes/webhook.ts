import Type from "typebox";
import { type AttemptRow, type CallbackSecret, type EndpointRow, eventNames, plainHeaders, type Replay } from "#webhooks/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, shapeOrNull, strict, text, textOrNull } from "../schemas/fields.ts";

const dayMs = 86_400_000;
const statuses = ["enabled", "disabled"] as const;
export const attemptStatuses = ["started", "succeeded", "failed"] as const;

export type WebhookShape = ReturnType<typeof showWebhook>;
export type AttemptShape = ReturnType<typeof showAttempt>;
export type ReplayShape = ReturnType<typeof showReplay>;
export type CallbackSecretShape = ReturnType<typeof showCallbackSecret>;

const events = (description: string) =>
  Type.Unsafe<string[]>({
    type: "array",
    items: { type: "string", maxLength: 100 },
    minItems: 1,
    maxItems: 100,
    description,
    examples: [["order.paid", "order.failed"]],
  });
const subscriptions = `Names of events: ${eventNames
  .filter((name) => !/^(email|sms|call)\./.test(name))
  .map((name) => `\`${name}\``)
  .join(", ")}; \`email.*\`, \`sms.*\`, \`call.*\`; or \`*\` for all but the noisy ones.`;

export const webhookSchema = shape("Webhook", "An address of yours that is told of events.", {
  id: idOf("we", "The endpoint's id."),
  object: oneOf(["webhook"], "Always `webhook`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  url: text("Where events are sent.", ["https://shop.example.com/hooks/tillpost"]),
  events: events("What it is told of."),
  description: textOrNull("A note of yours."),
  status: oneOf(statuses, "Disabled endpoints are sent nothing."),
  disabled_reason: textOrNull("Why it is disabled: `requested`, `failing` (five days without one success) or `gone` (it answered 410)."),
  secret: textOrNull("Signs deliveries. Shown when it is made and never again."),
  secret_last4: text("The end of the secret that keys `X-Service-Signature`."),
  next_secret_last4: textOrNull("During a roll, the end of the secret that takes over."),
  next_secret_at: instantOrNull("During a roll, when it takes over by itself."),
  api_version: text("Version of the payloads."),
  consecutive_failures: integer("Attempts that failed since the last success."),
  failing_since: instantOrNull("When the first of them was made."),
  last_success_at: instantOrNull("When a delivery last succeeded, to within seconds."),
  paused_until: instantOrNull("Too many attempts failed: nothing is sent until then, and no attempt is spent."),
  version: integer("Grows by one with each change of the endpoint itself."),
  created_at: instant("When it was registered."),
  updated_at: instant("When it was last changed."),
});

export const attemptSchema = shape("WebhookAttempt", "One attempt to deliver an event.", {
  id: idOf("wat", "The attempt's id."),
  object: oneOf(["webhook_attempt"], "Always `webhook_attempt`."),
  livemode: flag("False in the TEST environment."),
  webhook_id: idOf("we", "The endpoint."),
  event_id: idOf("evt", "The event; the same in each of its attempts."),
  event: text("The event's name.", ["order.paid"]),
  attempt: integer("Counts the attempts of this event at this endpoint, from 1."),
  trigger: oneOf(["automatic", "manual", "test"], "Why it was made."),
  status: oneOf(attemptStatuses, "How it ended."),
  request: Type.Object(
    {
      url: text("Where it went."),
      headers: Type.Unsafe<Record<string, string>>({
        type: "object",
        additionalProperties: { type: "string" },
        description: "The headers, signatures left out.",
      }),
      body: text("The body, byte for byte."),
    },
    { description: "What was sent." },
  ),
  response: shapeOrNull<AttemptResponse>("What came back; null when nothing did.", {
    status: integer("The status code.", { examples: [200] }),
    headers: Type.Unsafe<Record<string, string>>({ type: "object", additionalProperties: { type: "string" }, description: "The headers." }),
    body: text("The first 8 KiB."),
    truncated: flag("Whether there was more."),
  }),
  error_code: textOrNull("`timeout`, `dns`, `connect`, `tls`, `egress_blocked`, `http_error` (no 2xx) or `worker_lost` (our process died; it is sent again)."),
  duration_ms: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "How long the exchange took." }),
  next_attempt_at: instantOrNull("When the next automatic attempt was due, as planned then."),
  created_at: instant("When it began."),
});

export const replaySchema = shape("WebhookReplay", "Events that were scheduled to be sent again.", {
  object: oneOf(["webhook_replay"], "Always `webhook_replay`."),
  webhook_id: idOf("we", "The endpoint."),
  since: instant("From when on."),
  scheduled: integer("How many events."),
  has_more: flag("More remain than one call takes. Call again."),
});

export const callbackSecretSchema = shape("CallbackSecret", "What signs the status callbacks of a project in one environment.", {
  object: oneOf(["callback_secret"], "Always `callback_secret`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  secret: textOrNull("Signs callbacks. Shown when you roll it and never again."),
  secret_last4: textOrNull("The end of the secret that keys `X-Service-Signature`; null before the first callback and the first roll."),
  next_secret_last4: textOrNull("During a roll, the end of the secret that takes over."),
  next_secret_at: instantOrNull("During a roll, when it takes over by itself."),
  created_at: instantOrNull("When the first secret was made."),
});

export const webhookIn = strict({
  url: Type.String({ maxLength: 4096, description: "A public https address on port 443 or 8443.", examples: ["https://shop.example.com/hooks/tillpost"] }),
  events: events(subscriptions),
  description: Type.Optional(textOrNull("A note of yours.", { maxLength: 500 })),
});

export const webhookChangeIn = strict({
  url: Type.Optional(Type.String({ maxLength: 4096, description: "A public https address on port 443 or 8443." })),
  events: Type.Optional(events(subscriptions)),
  description: Type.Optional(textOrNull("A note of yours.", { maxLength: 500 })),
  status: Type.Optional(oneOf(statuses, "`disabled` stops deliveries; `enabled` begins anew, with a clean record.")),
});

export const testIn = strict({
  event: Type.Optional(Type.String({ maxLength: 100, description: "Which event to play. Default: `webhook.test`.", examples: ["order.paid"] })),
});
export const replayIn = strict({
  since: Type.String({ format: "date-time", description: "From when on, at most 30 days ago.", examples: ["2026-11-19T00:00:00Z"] }),
});

interface AttemptResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  truncated: boolean;
}

export function showCallbackSecret({ project_id, livemode, secret, secret_last4, next_secret_last4, rolled_at, created_at }: CallbackSecret) {
  const next_secret_at = nextSecretAt({ next_secret_last4, rolled_at });
  return { object: "callback_secret" as const, project_id, livemode, secret, secret_last4, next_secret_last4, next_secret_at, created_at };
}

/** A repeated answer comes out of storage, where instants are texts. */
function nextSecretAt({ next_secret_last4, rolled_at }: Pick<EndpointRow, "next_secret_last4" | "rolled_at">): Date | null {
  return next_secret_last4 === null || rolled_at === null ? null : new Date(new Date(rolled_at).getTime() + dayMs);
}

/** `secret` is the one just made; whoever only reads gets none. */
export function showWebhook(row: EndpointRow, secret: string | null = null) {
  const { id, project_id, livemode, url, description, status, disabled_reason, secret_last4, next_secret_last4, rolled_at, api_version } = row;
  return {
    id,
    object: "webhook" as const,
    project_id,
    livemode,
    url,
    events: row.events,
    description,
    status,
    disabled_reason,
    secret,
    secret_last4,
    next_secret_last4,
    next_secret_at: nextSecretAt({ next_secret_last4, rolled_at }),
    api_version,
    consecutive_failures: row.consecutive_failures,
    failing_since: row.failing_since,
    last_success_at: row.last_success_at,
    paused_until: row.breaker_until,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function showAttempt(row: AttemptRow) {
  const { id, livemode, event_id, event, attempt, trigger, status, url, response_status, error_code, duration_ms, next_attempt_at, created_at } = row;
  const redacted = { "x-service-signature": "…", "webhook-signature": "…" };
  const response: AttemptResponse | null =
    response_status === null
      ? null
      : { status: response_status, headers: row.response_headers ?? {}, body: row.response_body ?? "", truncated: row.response_truncated ?? false };
  return {
    id,
    object: "webhook_attempt" as const,
    livemode,
    webhook_id: row.endpoint_id,
    event_id,
    event,
    attempt,
    trigger,
    status,
    request: { url, headers: { ...plainHeaders({ event_id, at: created_at }), ...redacted }, body: row.body.toString("utf8") },
    response,
    error_code,
    duration_ms,
    next_attempt_at,
    created_at,
  };
}

export function showReplay({ webhook_id, since, scheduled, has_more }: Replay) {
  return { object: "webhook_replay" as const, webhook_id, since, scheduled, has_more };
}
