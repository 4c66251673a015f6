import Type from "typebox";
import type { Tenant } from "#platform/index.ts";
import {
  type CallbackSecret,
  type EndpointRow,
  type EndpointStats,
  eventFamilies,
  eventNames,
  maxWaiting,
  newestAttempts,
  oldSecretUntil,
  type Replay,
} from "#webhooks/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, shapeOrNull, strict, text, textOrNull } from "../fields/fields.ts";

const dayMs = 86_400_000;
const statuses = ["enabled", "disabled"] as const;
export type WebhookShape = ReturnType<typeof showWebhook>;
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
const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
const subscriptions = `Event names: ${quoted(eventNames)}; families: ${quoted(eventFamilies)}; or \`*\` for all events except \`email.queued\`, \`email.opened\` and \`email.clicked\`.`;

export const webhookSchema = shape("Webhook", "One of your addresses that receives events.", {
  id: idOf("we", "The endpoint's ID."),
  object: oneOf(["webhook"], "Always `webhook`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  url: text("Where events are sent.", ["https://shop.example.com/hooks/tillpost"]),
  events: events("The events it receives."),
  description: textOrNull("Your own note."),
  status: oneOf(statuses, "Disabled endpoints receive nothing."),
  disabled_reason: textOrNull("Why it's disabled: `requested`, `failing` (five days without a success) or `gone` (it responded 410)."),
  secret: textOrNull("Signs deliveries. Only shown when it's created."),
  secret_last4: text("The end of the secret that signs `X-Service-Signature`."),
  next_secret_last4: textOrNull("During a roll, the end of the secret that takes over."),
  next_secret_at: instantOrNull("During a roll, when it takes over automatically."),
  old_secret_until: instantOrNull("Until when the previous secret still signs `webhook-signature`; null if there's none."),
  api_version: text("Version of the payloads."),
  consecutive_failures: integer("How many attempts have failed since the last success."),
  failing_since: instantOrNull("When the first of them failed."),
  last_success_at: instantOrNull("When a delivery last succeeded, accurate to within seconds."),
  paused_until: instantOrNull("Too many attempts failed: nothing is sent until then, and no attempts are used up."),
  deliveries: Type.Object(
    {
      waiting: integer(`Deliveries that are due or being sent, counted up to ${maxWaiting}.`),
      recent_attempts: integer(`How many of the newest ${newestAttempts} attempts have ended.`),
      recent_success_rate: Type.Unsafe<number | null>({
        type: ["number", "null"],
        description: "The share of them that succeeded, from 0 to 1; null before the first.",
        examples: [0.98],
      }),
      last_error: shapeOrNull<LastError>("The newest of them that failed; null if none did.", {
        attempt_id: idOf("wat", "The attempt."),
        error_code: text("What went wrong."),
        response_status: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "The response's status, if any." }),
        created_at: instant("When it was sent."),
      }),
    },
    { description: "How deliveries to the endpoint are doing." },
  ),
  version: integer("Increases by one with every change to the endpoint itself."),
  created_at: instant("When it was created."),
  updated_at: instant("When it was last updated."),
});

export const replaySchema = shape("WebhookReplay", "The events scheduled to be sent again.", {
  object: oneOf(["webhook_replay"], "Always `webhook_replay`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  webhook_id: idOf("we", "The endpoint."),
  since: instant("The start of the period."),
  until: instantOrNull("The end of the period; null for none."),
  scheduled: integer("How many events were scheduled."),
  has_more: flag("True if there are more events than one call schedules. Call again."),
});

export const callbackSecretSchema = shape("CallbackSecret", "What signs the status callbacks of a project in one environment.", {
  object: oneOf(["callback_secret"], "Always `callback_secret`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  secret: textOrNull("Signs callbacks. Only shown when you roll it."),
  secret_last4: textOrNull("The end of the secret that signs `X-Service-Signature`; null before the first callback and the first roll."),
  next_secret_last4: textOrNull("During a roll, the end of the secret that takes over."),
  next_secret_at: instantOrNull("During a roll, when it takes over automatically."),
  old_secret_until: instantOrNull("Until when the previous secret still signs `webhook-signature`; null if there's none."),
  created_at: instantOrNull("When the first secret was created."),
});

export const webhookIn = strict({
  url: Type.String({
    maxLength: 4096,
    description: "A public https address on port 443 or 8443.",
    examples: ["https://shop.example.com/hooks/tillpost"],
  }),
  events: events(subscriptions),
  description: Type.Optional(textOrNull("Your own note.", { maxLength: 500 })),
});

export const webhookChangeIn = strict({
  url: Type.Optional(Type.String({ maxLength: 4096, description: "A public https address on port 443 or 8443." })),
  events: Type.Optional(events(subscriptions)),
  description: Type.Optional(textOrNull("Your own note.", { maxLength: 500 })),
  status: Type.Optional(
    oneOf(
      statuses,
      "`disabled` stops deliveries: events that occur in the meantime are skipped, and `replay` sends them. `enabled` resumes deliveries with a clean record.",
    ),
  ),
});

export const testIn = strict({
  event: Type.Optional(
    Type.String({ maxLength: 100, description: "The event to send. Defaults to `webhook.test`.", examples: ["order.paid"] }),
  ),
});
export const rollIn = strict({
  expire_old_now: Type.Optional(
    Type.Boolean({
      description:
        "`true`: the new secret signs both headers right away, and the old one signs nothing anymore. Use this if a secret was leaked.",
      default: false,
    }),
  ),
});
export const promoteIn = strict({
  expire_old_now: Type.Optional(
    Type.Boolean({ description: "`true`: the old secret stops signing `webhook-signature` now instead of in 24 hours.", default: false }),
  ),
});
export const replayIn = strict({
  since: Type.String({
    format: "date-time",
    description: "The start of the period, up to 30 days ago.",
    examples: ["2026-11-19T00:00:00Z"],
  }),
  until: Type.Optional(
    Type.String({ format: "date-time", description: "The end of the period. Defaults to now.", examples: ["2026-11-20T00:00:00Z"] }),
  ),
  events: Type.Optional(events("Only these names or families. Defaults to everything the endpoint subscribes to.")),
  include_delivered: Type.Optional(
    Type.Boolean({ description: "`true` also sends events the endpoint has already received, with the same IDs.", default: false }),
  ),
});

export interface LastError {
  attempt_id: string;
  error_code: string;
  response_status: number | null;
  created_at: string;
}

export function showCallbackSecret(row: CallbackSecret) {
  const { project_id, livemode, secret, secret_last4, next_secret_last4, created_at } = row;
  const until = { next_secret_at: nextSecretAt(row), old_secret_until: oldSecretUntil(row) };
  return { object: "callback_secret" as const, project_id, livemode, secret, secret_last4, next_secret_last4, ...until, created_at };
}

/** A replayed response comes from storage, where times are texts. */
function nextSecretAt({ next_secret_last4, rolled_at }: Pick<EndpointRow, "next_secret_last4" | "rolled_at">): Date | null {
  return next_secret_last4 === null || rolled_at === null ? null : new Date(new Date(rolled_at).getTime() + dayMs);
}

/**
 * `stats` may be missing for an endpoint that was sent nothing yet; `secret` is the one just created, and null whenever an endpoint is only
 * read.
 */
export function showWebhook(row: EndpointRow, stats: EndpointStats | undefined, secret: string | null = null) {
  const { id, project_id, livemode, url, description, status, disabled_reason, secret_last4, next_secret_last4, rolled_at, api_version } =
    row;
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
    old_secret_until: oldSecretUntil(row),
    api_version,
    consecutive_failures: row.consecutive_failures,
    failing_since: row.failing_since,
    last_success_at: row.last_success_at,
    paused_until: row.breaker_until,
    deliveries: showStats(stats),
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

function showStats(stats: EndpointStats | undefined) {
  const { waiting, attempts, succeeded, last_error } = stats ?? { waiting: 0, attempts: 0, succeeded: 0, last_error: null };
  const rate = attempts === 0 ? null : Math.round((succeeded / attempts) * 1_000) / 1_000;
  return { waiting, recent_attempts: attempts, recent_success_rate: rate, last_error };
}

export function showReplay({ webhook_id, since, until, scheduled, has_more }: Replay, { project_id, livemode }: Tenant) {
  return { object: "webhook_replay" as const, project_id, livemode, webhook_id, since, until, scheduled, has_more };
}
