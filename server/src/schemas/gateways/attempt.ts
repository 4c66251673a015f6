import Type from "typebox";
import { type GatewayAttemptRow, gatewayErrorKinds, gatewayVerbs } from "#gateways/index.ts";
import { flag, gatewayField, idOf, instant, integer, integerOrNull, oneOf, shape, text, textOrNull } from "../fields/fields.ts";

export type GatewayAttemptShape = ReturnType<typeof showGatewayAttempt>;

export const attemptVerbs = gatewayVerbs;
export const attemptOutcomes = ["succeeded", ...gatewayErrorKinds] as const;

export const gatewayAttemptSchema = shape("GatewayAttempt", "One call to a payment provider. Secrets, headers and bodies aren't stored.", {
  id: idOf("gat", "The attempt's ID."),
  object: oneOf(["gateway_attempt"], "Always `gateway_attempt`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  credential_id: idOf("gc", "The account it was made with."),
  gateway: gatewayField("The gateway."),
  verb: oneOf(gatewayVerbs, "What was requested from the provider."),
  reference: textOrNull("Our reference for the object it was about, such as a payment."),
  attempt: integer("The number of this attempt at one call, starting at 1. All have the same reference, so that nothing happens twice.", {
    examples: [1],
  }),
  outcome: oneOf(
    attemptOutcomes,
    "The outcome. `declined`, `invalid`, `conflict`, `not_found`, `already_paid`: the provider refused the request. `auth`: it refused the credentials. `rate_limited`, `unavailable`: it did nothing. `unknown_outcome`: there was no response, and the provider is queried for the result.",
  ),
  code: textOrNull("The provider's code, or `timeout`, `connection`, `malformed_answer`, `signature`, `fault`; null if it succeeded."),
  message: textOrNull("The provider's message; null if it succeeded."),
  provider_request_id: textOrNull("The provider's request ID, for contacting its support."),
  duration_ms: integer("How long it took.", { examples: [312] }),
  exchanges: Type.Array(
    Type.Object(
      {
        method: text("The method.", ["POST"]),
        url: text("The host and path, without the query.", ["api.provider.example/v1/payments"]),
        status: integerOrNull("The response's status; null if there was none."),
        error_code: textOrNull("Why there was no complete response."),
        duration_ms: integer("How long it took.", { examples: [298] }),
        clock_ahead_seconds: integerOrNull(
          "How many seconds the provider's clock was ahead of this server's; null if its response had no time.",
        ),
      },
      { additionalProperties: false, description: "A request." },
    ),
    { description: "The requests it took, up to 10." },
  ),
  request_id: textOrNull("The `Request-Id` of the request it was part of; null for background work."),
  created_at: instant("When it ended."),
});

/** A call to a provider as the API shows it. */
export function showGatewayAttempt(row: GatewayAttemptRow) {
  const { id, project_id, livemode, credential_id, gateway, verb, reference, outcome, code, message, provider_request_id, duration_ms } =
    row;
  return {
    ...{ id, object: "gateway_attempt" as const, project_id, livemode, credential_id, gateway, verb, reference, attempt: row.try },
    ...{ outcome, code, message, provider_request_id, duration_ms },
    exchanges: row.exchanges.map(({ method, url, status, error_code, duration_ms: took, clock_ahead_seconds = null }) => {
      return { method, url, status, error_code, duration_ms: took, clock_ahead_seconds };
    }),
    ...{ request_id: row.request_id, created_at: row.created_at },
  };
}
