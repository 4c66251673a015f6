import Type from "typebox";
import { type GatewayAttemptRow, gatewayErrorKinds, gatewayVerbs } from "#gateways/index.ts";
import { flag, gatewayField, idOf, instant, integer, integerOrNull, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export type GatewayAttemptShape = ReturnType<typeof showGatewayAttempt>;

export const attemptVerbs = gatewayVerbs;
export const attemptOutcomes = ["succeeded", ...gatewayErrorKinds] as const;

export const gatewayAttemptSchema = shape("GatewayAttempt", "One call to a payment provider. Secrets, headers and bodies are not kept.", {
  id: idOf("gat", "The attempt's id."),
  object: oneOf(["gateway_attempt"], "Always `gateway_attempt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  credential_id: idOf("gc", "The account it was made on."),
  gateway: gatewayField("The gateway."),
  verb: oneOf(gatewayVerbs, "What was asked of the provider."),
  reference: textOrNull("Our reference of what it was about, such as a payment."),
  attempt: integer("Counts the attempts of one call, from 1. Each has the same reference, so that nothing happens twice.", { examples: [1] }),
  outcome: oneOf(
    attemptOutcomes,
    "How it ended. `declined`, `invalid`, `conflict`, `not_found`, `already_paid`: the provider said no. `auth`: it refused the credentials. `rate_limited`, `unavailable`: it did nothing. `unknown_outcome`: no answer came, and it is asked what became of it.",
  ),
  code: textOrNull("The provider's code, or `timeout`, `connection`, `malformed_answer`, `signature`, `fault`; null when it succeeded."),
  message: textOrNull("What the provider said; null when it succeeded."),
  provider_request_id: textOrNull("The provider's id of the request, for its support."),
  duration_ms: integer("How long it took.", { examples: [312] }),
  exchanges: Type.Array(
    Type.Object(
      {
        method: text("The method.", ["POST"]),
        url: text("Host and path; the query is left out.", ["api.provider.example/v1/payments"]),
        status: integerOrNull("The status that came; null when none did."),
        error_code: textOrNull("Why no whole answer came."),
        duration_ms: integer("How long it took.", { examples: [298] }),
        clock_ahead_seconds: integerOrNull("By how many seconds the provider's clock was ahead of this server's; null where its answer told no time."),
      },
      { additionalProperties: false, description: "A request." },
    ),
    { description: "The requests that it took, at most 10 of them." },
  ),
  request_id: textOrNull("The `Request-Id` of the request that it was part of; null for background work."),
  created_at: instant("When it ended."),
});

/** A call to a provider as the API shows it. */
export function showGatewayAttempt(row: GatewayAttemptRow) {
  const { id, project_id, livemode, credential_id, gateway, verb, reference, outcome, code, message, provider_request_id, duration_ms } = row;
  return {
    ...{ id, object: "gateway_attempt" as const, project_id, livemode, credential_id, gateway, verb, reference, attempt: row.try },
    ...{ outcome, code, message, provider_request_id, duration_ms },
    exchanges: row.exchanges.map(({ method, url, status, error_code, duration_ms: took, clock_ahead_seconds = null }) => {
      return { method, url, status, error_code, duration_ms: took, clock_ahead_seconds };
    }),
    ...{ request_id: row.request_id, created_at: row.created_at },
  };
}
