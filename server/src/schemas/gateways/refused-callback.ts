import Type from "typebox";
import type { StrayRow } from "#gateways/index.ts";
import { maskCardNumbers } from "#platform/index.ts";
import { flag, gatewayField, idOf, instant, integer, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export type RefusedCallbackShape = ReturnType<typeof showRefusedCallback>;

export const callbackRefusals = ["signature", "stale", "unknown_key", "malformed", "unsupported", "nobody"] as const;

export const refusedCallbackSchema = shape(
  "RefusedCallback",
  "A refused request to a callback address. It changed nothing, and anyone could have sent it. Kept for 30 days, up to a thousand in the installation, with a share for each account.",
  {
    id: idOf("gst", "Its ID."),
    object: oneOf(["refused_callback"], "Always `refused_callback`."),
    project_id: textOrNull("The project of the account it was for; null if there's no such account."),
    livemode: Type.Unsafe<boolean | null>({
      type: ["boolean", "null"],
      description: "False in the TEST environment; null if there's no such account.",
    }),
    gateway: gatewayField("The gateway in its address."),
    credential_id: textOrNull("The account it was for; null if there's no such account."),
    reason: oneOf(
      callbackRefusals,
      "`signature`: it isn't signed with this account's secret. `stale`: it was signed too long ago. `unknown_key`: its key or account isn't this one's. `malformed`: it isn't one of the provider's callbacks. `unsupported`: its kind of signature isn't supported. `nobody`: no account expects it, or it isn't about a payment of this account.",
    ),
    path: text("The path it was sent to.", ["/api/payments/gateway/webhook/gc_01m7wje4wze7as3wcxk3xbrgav"]),
    headers: Type.Unsafe<Record<string, string>>({
      type: "object",
      additionalProperties: { type: "string" },
      description: "Its headers, without those used for authentication.",
      examples: [{ "content-type": "application/json" }],
    }),
    bytes: integer("The size of its body in bytes.", { examples: [812] }),
    body: text("The start of its body.", ['{"id":"evt_1"}']),
    truncated: flag("Whether the body was longer."),
    received_at: instant("When it was received."),
  },
);

/** A refused callback as the API shows it. */
export function showRefusedCallback({
  id,
  project_id,
  livemode,
  gateway,
  credential_id,
  reason,
  path,
  headers,
  bytes,
  body,
  received_at,
}: StrayRow) {
  const of = { gateway, credential_id, reason: reason as (typeof callbackRefusals)[number] };
  const shown = Buffer.from(body);
  return {
    ...{ id, object: "refused_callback" as const, project_id, livemode, ...of, path, headers, bytes },
    body: maskCardNumbers(shown.toString("utf8")),
    ...{ truncated: bytes > shown.length, received_at },
  };
}
