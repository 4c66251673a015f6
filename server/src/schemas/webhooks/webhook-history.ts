import Type from "typebox";
import { type AttemptRow, type DeliveryRow, plainHeaders, redactUrl } from "#webhooks/index.ts";
import { flag, idOf, instant, instantOrNull, integer, oneOf, shape, shapeOrNull, text, textOrNull } from "../fields/fields.ts";

export const attemptTriggers = ["automatic", "manual", "replay", "test"] as const;
export const attemptStatuses = ["started", "succeeded", "failed"] as const;

export type AttemptShape = ReturnType<typeof showAttempt>;
export type DeliveryShape = ReturnType<typeof showDelivery>;

export const attemptSchema = shape("WebhookAttempt", "One attempt to deliver an event.", {
  id: idOf("wat", "The attempt's ID."),
  object: oneOf(["webhook_attempt"], "Always `webhook_attempt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  webhook_id: idOf("we", "The endpoint."),
  event_id: idOf("evt", "The event; the same for all its attempts."),
  event: text("The event's name.", ["order.paid"]),
  attempt: integer("The number of this attempt to deliver the event to the endpoint, starting at 1."),
  trigger: oneOf(attemptTriggers, "Why the attempt was made."),
  status: oneOf(attemptStatuses, "The outcome."),
  request: Type.Object(
    {
      url: text("The address it was sent to, without query values."),
      headers: Type.Unsafe<Record<string, string>>({
        type: "object",
        additionalProperties: { type: "string" },
        description: "The headers, without signatures.",
      }),
      body: text("The body, byte for byte."),
    },
    { description: "What was sent." },
  ),
  response: shapeOrNull<AttemptResponse>("The response, without cookies and signatures; null if there was none.", {
    status: integer("The status code.", { examples: [200] }),
    headers: Type.Unsafe<Record<string, string>>({ type: "object", additionalProperties: { type: "string" }, description: "The headers." }),
    body: text("The first 8 KiB."),
    truncated: flag("Whether there was more."),
  }),
  error_code: textOrNull(
    "`timeout`, `dns`, `connect`, `connection_reset`, `invalid_response`, `truncated` (the response broke off), `tls`, `egress_blocked`, `http_error` (not a 2xx status) or `worker_lost` (our process ended before it noted the result; the event is sent again).",
  ),
  duration_ms: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "How long the request took." }),
  next_attempt_at: instantOrNull("When the next automatic attempt was due, as planned then."),
  created_at: instant("When it was sent."),
});

export const deliverySchema = shape("WebhookDelivery", "One event's delivery to one webhook endpoint.", {
  object: oneOf(["webhook_delivery"], "Always `webhook_delivery`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  webhook_id: idOf("we", "The endpoint."),
  event_id: idOf("evt", "The event."),
  url: text("The endpoint's address, without query values."),
  status: oneOf(
    ["waiting", "sending", "delivered", "failed", "skipped"],
    "`failed`: every retry was used up, or it was a test. `skipped`: the endpoint was disabled or no longer subscribed; `replay` sends it.",
  ),
  attempts: integer("How many times it was tried."),
  next_attempt_at: instantOrNull("When the next attempt is due; null once there are no more."),
  last_attempt: shapeOrNull<LastAttempt>("The newest attempt; null before the first.", {
    id: idOf("wat", "The attempt."),
    response_status: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "The response's status, if any." }),
    error_code: textOrNull("What went wrong; null after a success and while it's in progress."),
    created_at: instant("When it was sent."),
  }),
  created_at: instant("When the event was assigned to the endpoint."),
  updated_at: instant("When the delivery last changed."),
});

interface LastAttempt {
  id: string;
  response_status: number | null;
  error_code: string | null;
  created_at: Date;
}

interface AttemptResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  truncated: boolean;
}

/** Deliveries that are set aside wait for the operator. */
const deliveryStatuses = {
  due: "waiting",
  leased: "sending",
  set_aside: "waiting",
  succeeded: "delivered",
  failed: "failed",
  skipped: "skipped",
} as const;

export function showDelivery(row: DeliveryRow) {
  const { project_id, livemode, event_id, url, state, attempts, next_attempt_at, attempt_id, created_at, updated_at } = row;
  const { response_status, error_code } = row;
  const last_attempt = attempt_id === null ? null : { id: attempt_id, response_status, error_code, created_at: row.attempted_at as Date };
  const about = { object: "webhook_delivery" as const, project_id, livemode, webhook_id: row.endpoint_id, event_id, url: redactUrl(url) };
  return { ...about, status: deliveryStatuses[state], attempts, next_attempt_at, last_attempt, created_at, updated_at };
}

export function showAttempt(row: AttemptRow) {
  const {
    id,
    livemode,
    event_id,
    event,
    attempt,
    trigger,
    status,
    url,
    response_status,
    error_code,
    duration_ms,
    next_attempt_at,
    created_at,
  } = row;
  const redacted = { "x-service-signature": "…", "webhook-signature": "…" };
  const response: AttemptResponse | null =
    response_status === null
      ? null
      : {
          status: response_status,
          headers: row.response_headers ?? {},
          body: row.response_body ?? "",
          truncated: row.response_truncated ?? false,
        };
  return {
    id,
    object: "webhook_attempt" as const,
    project_id: row.project_id,
    livemode,
    webhook_id: row.endpoint_id,
    event_id,
    event,
    attempt,
    trigger,
    status,
    request: {
      url: redactUrl(url),
      headers: { ...plainHeaders({ event_id, at: created_at }), ...redacted },
      body: row.body.toString("utf8"),
    },
    response,
    error_code,
    duration_ms,
    next_attempt_at,
    created_at,
  };
}
