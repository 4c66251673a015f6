import Type, { type TUnsafe } from "typebox";
import type { PaymentMethod, PaymentMethods } from "#gateways/index.ts";
import type { MethodState } from "#orders/index.ts";
import type { Tenant } from "#platform/index.ts";
import { flag, idOf, integer, oneOf, shape, text, textOrNull } from "./fields.ts";

type Which = "GatewaySlug" | "PersonalGatewaySlug";

/** A gateway in a request: any, or one of the personal codes. */
export function gatewayIn(which: Which, description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ $ref: `${which}#`, description });
}

/** The values that a gateway's name has in this installation, as named schemas. */
export function gatewaySlugs({ all }: PaymentMethods): Record<Which, object> {
  return {
    GatewaySlug: slugSchema("GatewaySlug", "A gateway's name.", all),
    PersonalGatewaySlug: slugSchema(
      "PersonalGatewaySlug",
      "Name of a gateway that is a personal receiving code.",
      all.filter(({ kind }) => kind === "personal_qr"),
    ),
  };
}

function slugSchema($id: Which, description: string, methods: readonly PaymentMethod[]): object {
  const names = [...new Set(methods.map(({ gateway }) => gateway))];
  // The profile's name is a frequent slip.
  const slips = methods.flatMap((method) =>
    method.kind === "personal_qr" && method.channel !== method.gateway
      ? [`${method.channel} is the name of the collection profile behind ${method.gateway}`]
      : [],
  );
  const hint = slips.length === 0 ? "" : ` (${slips.join("; ")})`;
  return { $id, type: "string", enum: names, description, examples: names.slice(0, 1), "x-sentence": `must be one of ${names.join(", ")}${hint}` };
}

export type GatewayShape = ReturnType<typeof showGateway>;

export const gatewaySchema = shape("Gateway", "A way for buyers to pay, and how it is set up in this project and environment.", {
  object: oneOf(["gateway"], "Always `gateway`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  slug: text("Its name in this API."),
  kind: oneOf(["personal_qr", "gateway"], "`personal_qr`: the merchant's own receiving code. `gateway`: a provider that confirms payments itself."),
  names: Type.Record(Type.String(), Type.String(), { description: "What buyers know it by, by language; `en` is always there." }),
  channel: textOrNull("The collection profile that holds its code; null for other gateways."),
  currencies: Type.Unsafe<string[] | null>({
    type: ["array", "null"],
    items: { type: "string" },
    description: "Currencies that it takes, as ISO 4217 codes; null: any.",
    examples: [["CNY"]],
  }),
  configured: flag("Whether the project has set it up."),
  enabled: flag("Whether buyers are offered it."),
  position: integer("Its place on the payment page, from 1.", { examples: [1] }),
});

/** A gateway as the API answers it. */
export function showGateway({ project_id, livemode }: Tenant, { method, configured, enabled }: MethodState, index: number) {
  return {
    object: "gateway" as const,
    project_id,
    livemode,
    slug: method.gateway,
    kind: method.kind,
    names: { ...method.names },
    channel: method.kind === "personal_qr" ? method.channel : null,
    currencies: method.currencies === "any" ? null : [...method.currencies],
    configured,
    enabled,
    position: index + 1,
  };
}
