import Type from "typebox";
import type { StrayRow } from "#gateways/index.ts";
import { maskCardNumbers } from "#platform/index.ts";
import { flag, gatewayField, idOf, instant, integer, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export type RefusedCallbackShape = ReturnType<typeof showRefusedCallback>;

export const callbackRefusals = ["signature", "stale", "unknown_key", "malformed", "unsupported", "nobody"] as const;

export const refusedCallbackSchema = shape(
  "RefusedCallback",
  "A request to a callback address that was not believed. It changed nothing, and anybody could have sent it. Kept for 30 days, at most a thousand in the installation, of which each account keeps its share.",
  {
    id: idOf("gst", "Its id."),
    object: oneOf(["refused_callback"], "Always `refused_callback`."),
    project_id: textOrNull("The project of the account that it was for; null where it led to none."),
    livemode: Type.Unsafe<boolean | null>({ type: ["boolean", "null"], description: "False in the TEST environment; null where it led to no account." }),
    gateway: gatewayField("The gateway that its address names."),
    credential_id: textOrNull("The account that it was for; null where it led to none."),
    reason: oneOf(
      callbackRefusals,
      "`signature`: it is not signed with this account's secret. `stale`: it was signed too long ago. `unknown_key`: it names a key or an account that isn't this one's. `malformed`: it is no callback of the provider's. `unsupported`: it is signed in a way that isn't read. `nobody`: no account expects it, or it names no payment of this account.",
    ),
    path: text("Where it was sent.", ["/api/payments/gateway/webhook/gc_01m7wje4wze7as3wcxk3xbrgav"]),
    headers: Type.Unsafe<Record<string, string>>({
      type: "object",
      additionalProperties: { type: "string" },
      description: "Its headers, without those that people and programs sign in with.",
      examples: [{ "content-type": "application/json" }],
    }),
    bytes: integer("How long its body was, in bytes.", { examples: [812] }),
    body: text("How its body begins.", ['{"id":"evt_1"}']),
    truncated: flag("Whether the body went on."),
    received_at: instant("When it came."),
  },
);

/** A refused callback as the API shows it. */
export function showRefusedCallback({ id, project_id, livemode, gateway, credential_id, reason, path, headers, bytes, body, received_at }: StrayRow) {
  const of = { gateway, credential_id, reason: reason as (typeof callbackRefusals)[number] };
  const shown = Buffer.from(body);
  return {
    ...{ id, object: "refused_callback" as const, project_id, livemode, ...of, path, headers, bytes },
    body: maskCardNumbers(shown.toString("utf8")),
    ...{ truncated: bytes > shown.length, received_at },
  };
}
