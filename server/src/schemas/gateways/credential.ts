import Type from "typebox";
import { type Credential, callbackUrl, type FaringCredential, type GatewayAdapter } from "#gateways/index.ts";
import type { Ctx } from "#platform/index.ts";
import {
  flag,
  gatewayField,
  idOf,
  instant,
  instantOrNull,
  integer,
  integerOrNull,
  oneOf,
  shape,
  shapeOrNull,
  strict,
  text,
  textOrNull,
} from "../fields/fields.ts";

export type GatewayCredentialShape = ReturnType<typeof showGatewayCredential>;

const statuses = ["unchecked", "checked", "failed"] as const;
const currencyCodes = (description: string) =>
  Type.Unsafe<string[] | null>({
    type: ["array", "null"],
    items: { type: "string", pattern: "^[A-Za-z]{3}$" },
    minItems: 1,
    maxItems: 200,
    description,
    examples: [["EUR", "USD"]],
  });
const minorOrNull = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ type: ["integer", "null"], minimum: 1, maximum: 99_999_999_999, description }));
const limitsIn = strict(
  {
    min_minor: minorOrNull("The smallest payment it accepts, in minor units of the payment's currency."),
    max_minor: minorOrNull("The largest payment it accepts, in minor units of the payment's currency."),
  },
  { description: "Payments outside these limits go to another account." },
);
const fieldsIn = (description: string) =>
  Type.Unsafe<Record<string, string | null>>({
    type: "object",
    additionalProperties: { type: ["string", "null"], maxLength: 16_384 },
    maxProperties: 30,
    description,
    examples: [{ secret_key: "sk_test_4Zq8cJx0mB7vN2sT5yR1kW9d" }],
  });

/** A comparison as it is shown. */
interface ShownComparison {
  status: "equal" | "different" | "failed" | "unlisted";
  ran_at: Date;
  compared_until: Date | null;
  lines: number;
  differences: number;
  error: { code: string; message: string } | null;
}

/** One field as it is read back. */
interface ShownField {
  secret: boolean;
  value: string | null;
  last4: string | null;
}

export const gatewayCredentialSchema = shape("GatewayCredential", "An account with a payment provider.", {
  id: idOf("gc", "The account's ID."),
  object: oneOf(["gateway_credential"], "Always `gateway_credential`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  gateway: gatewayField("The gateway."),
  demo: flag("Whether the provider is simulated: payments are made on a page of this server, and no real money is involved. Only in TEST."),
  label: textOrNull("Your own name for the account."),
  enabled: flag("Whether new payments go to this account. Payments in progress and their callbacks continue either way."),
  position: integer("Payments go to the enabled account with the lowest position that accepts them.", { examples: [1] }),
  weight: integer("The account's share of payments among those in the same position. With 0, it only gets what the others don't accept.", {
    examples: [100],
  }),
  limits: Type.Object(
    {
      min_minor: integerOrNull("The smallest payment it accepts, in minor units of the payment's currency."),
      max_minor: integerOrNull("The largest payment it accepts, in minor units of the payment's currency."),
    },
    { description: "Payments outside these limits go to another account." },
  ),
  currencies: currencyCodes("The currencies it accepts, as ISO 4217 codes; null for all that the gateway accepts."),
  fields: Type.Unsafe<Record<string, ShownField>>({
    type: "object",
    description: "The values entered, by field. Secret fields are never shown again.",
    additionalProperties: Type.Object(
      {
        secret: flag("Whether the field is secret."),
        value: textOrNull("The value entered; null for a secret."),
        last4: textOrNull("The end of a secret; null for other fields, and for secrets too short to show any part of."),
      },
      { additionalProperties: false, description: "A field." },
    ),
    examples: [{ secret_key: { secret: true, value: null, last4: "kW9d" } }],
  }),
  status: oneOf(
    statuses,
    "`checked`: the provider accepted these credentials. `failed`: it refused them, so no payments go to this account. `unchecked`: it hasn't been reached yet, or offers no way to check.",
  ),
  checked_at: instantOrNull("When the provider last confirmed the credentials."),
  check_error: shapeOrNull<{ code: string; message: string }>("Why the last check didn't confirm the credentials; null if it did.", {
    code: text("The provider's code, or `timeout`, `connection`, `other_account`.", ["connection"]),
    message: text("A message for people."),
  }),
  account: textOrNull("The provider's name for the account, once known."),
  account_name: textOrNull("The account holder's name, if the provider reports it."),
  webhook_url: text("The address the provider sends its callbacks to.", [
    "https://pay.example.com/api/payments/gateway/webhook/gc_01m7wje4wze7as3wcxk3xbrgav",
  ]),
  old_fields_until: instantOrNull("Until when callbacks signed with the previous fields are accepted; null if they aren't."),
  last_success_at: instantOrNull(
    "When the provider last answered a call successfully; null if there's no record of one. Attempts are kept for 30 days.",
  ),
  consecutive_failures: integer("How many requests have failed since the provider last responded."),
  paused_until: instantOrNull("The provider has stopped responding; no requests are sent until then."),
  comparison: shapeOrNull<ShownComparison>("The daily comparison of its payments with the provider's own list; null before the first.", {
    status: oneOf(
      ["equal", "different", "failed", "unlisted"],
      "`different`: there were differences; the exceptions show them. `failed`: the list couldn't be retrieved, and will be requested again. `unlisted`: the provider has no list.",
    ),
    ran_at: instant("When the comparison was last tried."),
    compared_until: instantOrNull("The time up to which the provider's list has been compared."),
    lines: integer("How many payments and refunds the provider listed for the newest day, including those made by other programs."),
    differences: integer("How many differed, including payments that should have been listed by now."),
    error: shapeOrNull<{ code: string; message: string }>("Why it failed.", {
      code: text("The provider's code, or `timeout`, `connection`, `breaker_open`.", ["timeout"]),
      message: text("A message for people."),
    }),
  }),
  version: integer("Increases by one with every change."),
  created_at: instant("When it was added."),
  created_by: text("Who added it."),
  updated_at: instant("When it was last updated."),
  updated_by: text("Who last changed it."),
});

const choices = {
  label: Type.Optional(textOrNull("Your own name for the account.", { maxLength: 100 })),
  enabled: Type.Optional(Type.Boolean({ description: "`false`: no new payments go to it." })),
  position: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: "Its position among the accounts. Defaults to the last." }),
  ),
  weight: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description: "Its share of payments among accounts in the same position. Defaults to 100.",
    }),
  ),
  limits: Type.Optional(limitsIn),
  currencies: Type.Optional(currencyCodes("The currencies it accepts, limited to those of the gateway; null for all of them.")),
};

export const credentialIn = strict({
  fields: Type.Optional(
    fieldsIn("The fields of the gateway's form, as listed in `credential_fields` in the list of gateways. Required, except with `demo`."),
  ),
  demo: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "`true`: add the gateway's demo account; send this in place of `fields`. Its provider is simulated by this server, and it takes payments as long as the gateway has no other account. Only in TEST, one for each gateway.",
    }),
  ),
  ...choices,
});

export const credentialChangeIn = strict({
  fields: Type.Optional(fieldsIn("The fields to change; the others stay as they are. `null` removes a field.")),
  expire_old_in_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * 86_400,
      default: 86_400,
      description:
        "With `fields`: how many seconds callbacks signed with the previous ones are still accepted, up to seven days. Defaults to one day. At most the three newest previous sets are kept; a fourth change within that time ends the oldest.",
    }),
  ),
  ...choices,
});

/** An account as the API shows it. */
export function showGatewayCredential({ gateways, publicUrl }: Pick<Ctx, "gateways" | "publicUrl">, row: FaringCredential) {
  const {
    id,
    project_id,
    livemode,
    gateway,
    demo,
    label,
    enabled,
    position,
    weight,
    min_minor,
    max_minor,
    currencies,
    status,
    checked_at,
    check_error,
  } = row;
  return {
    ...{ id, object: "gateway_credential" as const, project_id, livemode, gateway, demo, label, enabled, position, weight },
    limits: { min_minor, max_minor },
    currencies,
    fields: fieldsOf(row, gateways.find(gateway)),
    ...{ status, checked_at, check_error, account: row.account, account_name: row.account_name },
    webhook_url: callbackUrl({ publicUrl }, row),
    old_fields_until: row.former_until,
    last_success_at: row.last_success_at ?? null,
    consecutive_failures: row.consecutive_failures,
    paused_until: row.is_paused ? row.breaker_until : null,
    comparison: comparisonOf(row),
    version: row.version,
    ...{ created_at: row.created_at, created_by: row.created_by, updated_at: row.updated_at, updated_by: row.updated_by },
  };
}

/** null for a response that an earlier version stored for a repeated request. */
function comparisonOf(row: Credential): ShownComparison | null {
  const { comparison_status: status, compared_at: ran_at, compared_until, compared_lines: lines, compared_differences: differences } = row;
  if (status == null || ran_at == null) return null;
  return { status, ran_at, compared_until, lines, differences, error: row.comparison_error };
}

/** In the order of the gateway's form. */
function fieldsOf({ fields, secret_last4 }: Credential, adapter: GatewayAdapter | null): Record<string, ShownField> {
  const order = new Map((adapter?.manifest.fields ?? []).map(({ name }, index) => [name, index]));
  const shown = [
    ...Object.entries(fields).map(([name, value]): [string, ShownField] => [name, { secret: false, value, last4: null }]),
    ...Object.entries(secret_last4).map(([name, last4]): [string, ShownField] => [
      name,
      { secret: true, value: null, last4: last4 === "" ? null : last4 },
    ]),
  ];
  return Object.fromEntries(shown.sort(([left], [right]) => (order.get(left) ?? 0) - (order.get(right) ?? 0)));
}
