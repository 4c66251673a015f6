import Type from "typebox";
import { type Setup, setupFindings, setupOutcomes } from "#gateways/index.ts";
import type { Tenant } from "#platform/index.ts";
import { amountOut, currencyOut, flag, gatewayField, idOf, instantOrNull, oneOf, shape, shapeOrNull, text } from "../fields/fields.ts";

export type GatewaySetupShape = ReturnType<typeof showGatewaySetup>;

const names = Object.keys(setupFindings) as (keyof typeof setupFindings)[];
const outcomes =
  "`ok`: it works. `unknown`: the next payment or callback will show. `attention`: payments work, but something could be better. `problem`: someone has to fix something.";

const finding = Type.Object(
  {
    name: oneOf(
      names,
      "What was checked: the credentials, whether payments go to the account, whether the callback address can be reached, callbacks, the two clocks, the project's currency.",
    ),
    outcome: oneOf(setupOutcomes, outcomes),
    reason: oneOf([...new Set(Object.values(setupFindings).flat())], "What was found."),
    at: instantOrNull("When it was found; for `not_answering`, until when no requests are sent to the provider."),
    values: Type.Unsafe<Record<string, string | number>>({
      type: "object",
      additionalProperties: { type: ["string", "integer"] },
      description: "The finding's details: the provider's message, the reason for a refusal, a field, a number of seconds.",
      examples: [{ provider_message: "Invalid API key." }],
    }),
  },
  { additionalProperties: false, description: "One finding." },
);

export const gatewaySetupSchema = shape("GatewaySetup", "How a gateway account is set up, and what is wrong with it.", {
  object: oneOf(["gateway_setup"], "Always `gateway_setup`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  gateway: gatewayField("The gateway."),
  credential_id: idOf("gc", "The account."),
  outcome: oneOf(setupOutcomes, `The worst outcome among the findings. ${outcomes}`),
  findings: Type.Array(finding, { description: "Everything that was checked." }),
  test_payment: shapeOrNull<{ amount_minor: number; currency: string }>(
    "The smallest payment the account accepts, for trying it out; null in LIVE.",
    {
      amount_minor: amountOut("Its amount."),
      currency: currencyOut("The currency."),
    },
  ),
  webhook_url: text("The address the provider sends its callbacks to.", [
    "https://pay.example.com/api/payments/gateway/webhook/gc_01m7wje4wze7as3wcxk3xbrgav",
  ]),
});

/** A set-up as the API shows it. */
export function showGatewaySetup({ project_id, livemode }: Tenant, setup: Setup & { webhook_url: string }) {
  const { gateway, credential_id, outcome, findings, test_payment, webhook_url } = setup;
  return {
    ...{ object: "gateway_setup" as const, project_id, livemode, gateway, credential_id, outcome },
    findings: findings.map(({ name, outcome: of, reason, at, values }) => ({ name, outcome: of, reason, at, values })),
    ...{ test_payment, webhook_url },
  };
}
