import Type, { type TUnsafe } from "typebox";
import type { CredentialField, GatewayManifest, PaymentMethod, PaymentMethods } from "#gateways/index.ts";
import type { MethodState } from "#orders/index.ts";
import { type Ctx, firstLanguage, type Tenant } from "#platform/index.ts";
import { flag, idOf, integer, oneOf, shape, text, textOrNull } from "./fields.ts";

type Which = "GatewaySlug" | "PersonalGatewaySlug";

/** A gateway in a request: any, or only the personal codes. */
export function gatewayIn(which: Which, description: string): TUnsafe<string> {
  return Type.Unsafe<string>({ $ref: `${which}#`, description });
}

/** The values that a gateway's name has in this installation, as named schemas. */
export function gatewaySlugs({ all }: PaymentMethods): Record<Which, object> {
  return {
    GatewaySlug: slugSchema("GatewaySlug", "A gateway's name.", all),
    PersonalGatewaySlug: slugSchema(
      "PersonalGatewaySlug",
      "The name of a gateway that is a personal receiving code.",
      all.filter(({ kind }) => kind === "personal_qr"),
    ),
  };
}

function slugSchema($id: Which, description: string, methods: readonly PaymentMethod[]): object {
  const names = [...new Set(methods.map(({ gateway }) => gateway))];
  // Using the profile's name is a common mistake.
  const slips = methods.flatMap((method) =>
    method.kind === "personal_qr" && method.channel !== method.gateway
      ? [`${method.channel} is the name of the collection profile behind ${method.gateway}`]
      : [],
  );
  const hint = slips.length === 0 ? "" : ` (${slips.join("; ")})`;
  return {
    $id,
    type: "string",
    enum: names,
    description,
    examples: names.slice(0, 1),
    "x-sentence": `must be one of ${names.join(", ")}${hint}`,
  };
}

export type GatewayShape = ReturnType<typeof showGateway>;

export const gatewaySchema = shape("Gateway", "A payment method, and how it's set up in this project and environment.", {
  object: oneOf(["gateway"], "Always `gateway`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  slug: text("The gateway's name in this API."),
  kind: oneOf(["personal_qr", "gateway"], "`personal_qr`: your own receiving code. `gateway`: a provider that confirms payments itself."),
  names: Type.Record(Type.String(), Type.String(), { description: "The name buyers see, by language. Always includes `en`." }),
  provider_names: Type.Unsafe<Record<string, string> | null>({
    type: ["object", "null"],
    additionalProperties: { type: "string" },
    description: "The provider you have the account with, by language; null for personal codes.",
    examples: [{ [firstLanguage]: "Stripe" }],
  }),
  channel: textOrNull("The collection profile with its code; null for other gateways."),
  currencies: Type.Unsafe<string[] | null>({
    type: ["array", "null"],
    items: { type: "string" },
    description: "The currencies it accepts, as ISO 4217 codes; null for any.",
    examples: [["CNY"]],
  }),
  configured: flag("Whether the project has set it up."),
  enabled: flag("Whether it can take payments."),
  accounts: integer("How many accounts with the provider are set up; 0 for personal codes."),
  demo: flag("Whether its payments are simulated, because it only has a demo account. Only in TEST."),
  credential_fields: Type.Unsafe<ShownField[] | null>({
    type: ["array", "null"],
    description: "The form for entering an account with the provider; null for personal codes.",
    items: Type.Object(
      {
        name: text("The field's name in `fields`.", ["secret_key"]),
        secret: flag("Whether the field is secret and never shown again."),
        required: flag("Whether the field is required."),
        multiline: flag("Whether the field takes several lines, such as a PEM key."),
        names: Type.Record(Type.String(), Type.String(), { description: "The field's label, by language. Always includes `en`." }),
        hints: Type.Record(Type.String(), Type.String(), { description: "Where to find the value, by language. Always includes `en`." }),
        choices: Type.Unsafe<ShownField["choices"]>({
          type: ["array", "null"],
          description: "The values that the field can have, the default first; null if it takes any text.",
          items: Type.Object(
            {
              value: text("The value.", ["code"]),
              names: Type.Record(Type.String(), Type.String(), { description: "What people see, by language. Always includes `en`." }),
            },
            { additionalProperties: false, description: "A value." },
          ),
        }),
      },
      { additionalProperties: false, description: "A field." },
    ),
  }),
  callback_entry: Type.Unsafe<CallbackEntry | null>({
    type: ["object", "null"],
    description:
      "Where to enter an account's `webhook_url` at the provider. Null if the provider gets it with each payment, and for personal codes. Save the account first, then enter its address at the provider, then save the field that the provider gives you in return.",
    properties: {
      field: text("The field of `credential_fields` that the provider gives you once you enter the address.", ["webhook_secret"]),
      hints: Type.Record(Type.String(), Type.String(), { description: "Where to enter it, by language. Always includes `en`." }),
    },
    required: ["field", "hints"],
    additionalProperties: false,
  }),
  position: integer(
    "Its position on the payment page, starting at 1. Owners and admins change it with the project's setting `gateway_order`.",
    { examples: [1] },
  ),
});

type Texts = Record<string, string>;

interface ShownField extends Pick<CredentialField, "name" | "secret" | "required" | "multiline"> {
  names: Texts;
  hints: Texts;
  choices: { value: string; names: Texts }[] | null;
}

interface CallbackEntry {
  field: string;
  hints: Record<string, string>;
}

/** A gateway as the API returns it. */
export function showGateway({ gateways }: Pick<Ctx, "gateways">, { project_id, livemode }: Tenant, state: MethodState & { index: number }) {
  const { method, configured, enabled, accounts, demo, index } = state;
  const adapter = method.kind === "gateway" ? gateways.find(method.gateway) : null;
  return {
    object: "gateway" as const,
    project_id,
    livemode,
    slug: method.gateway,
    kind: method.kind,
    names: { ...method.names },
    provider_names: adapter === null ? null : { ...(adapter.manifest.provider ?? method.names) },
    channel: method.kind === "personal_qr" ? method.channel : null,
    currencies: method.currencies === "any" ? null : [...method.currencies],
    configured,
    enabled,
    accounts,
    demo,
    credential_fields: adapter === null ? null : adapter.manifest.fields.map(shownField),
    callback_entry: shownEntry(adapter?.manifest.callbackEntry),
    position: index + 1,
  };
}

function shownEntry(entry: GatewayManifest["callbackEntry"]): CallbackEntry | null {
  return entry === undefined ? null : { field: entry.field, hints: { ...entry.hints } };
}

function shownField({ name, secret, required, multiline, names, hints, choices }: CredentialField): ShownField {
  const values = choices?.map((choice) => ({ value: choice.value, names: { ...choice.names } })) ?? null;
  return { name, secret, required, multiline, names: { ...names }, hints: { ...hints }, choices: values };
}
