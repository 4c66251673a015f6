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
    min_minor: minorOrNull("The smallest payment it takes, in minor units of the payment's currency."),
    max_minor: minorOrNull("The largest payment it takes, in minor units of the payment's currency."),
  },
  { description: "Payments outside of these limits go to another account." },
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
  id: idOf("gc", "The account's id."),
  object: oneOf(["gateway_credential"], "Always `gateway_credential`."),
  project_id: idOf("prj", "The project."),
  livemode: flag("False in the TEST environment."),
  gateway: gatewayField("The gateway."),
  demo: flag("Whether its provider is simulated: payments to it are made on a page of this server, and no money moves. Only in TEST."),
  label: textOrNull("A name of yours."),
  enabled: flag("Whether new payments go there. Payments that are under way and their callbacks go on either way."),
  position: integer("Payments go to the enabled account with the lowest position that takes them.", { examples: [1] }),
  weight: integer("Which part of the payments an account gets among those in the same position. With 0 it only gets what the others don't take.", {
    examples: [100],
  }),
  limits: Type.Object(
    {
      min_minor: integerOrNull("The smallest payment it takes, in minor units of the payment's currency."),
      max_minor: integerOrNull("The largest payment it takes, in minor units of the payment's currency."),
    },
    { description: "Payments outside of these limits go to another account." },
  ),
  currencies: currencyCodes("Currencies it takes, as ISO 4217 codes; null: all that the gateway takes."),
  fields: Type.Unsafe<Record<string, ShownField>>({
    type: "object",
    description: "What was entered, by field. Secret fields are never shown again.",
    additionalProperties: Type.Object(
      {
        secret: flag("Whether it is kept secret."),
        value: textOrNull("What was entered; null for a secret."),
        last4: textOrNull("How a secret ends; null for others, and for secrets that are too short to show a part of."),
      },
      { additionalProperties: false, description: "A field." },
    ),
    examples: [{ secret_key: { secret: true, value: null, last4: "kW9d" } }],
  }),
  status: oneOf(
    statuses,
    "`checked`: the provider knows these credentials. `failed`: it refused them, so that no payment goes there. `unchecked`: it wasn't reached yet, or has nothing to ask.",
  ),
  checked_at: instantOrNull("When the provider last said so."),
  check_error: shapeOrNull<{ code: string; message: string }>("Why the last check did not confirm the credentials; null when it did.", {
    code: text("The provider's code, or `timeout`, `connection`, `other_account`.", ["connection"]),
    message: text("A sentence for people."),
  }),
  account: textOrNull("The account as the provider names it, once it is known."),
  account_name: textOrNull("The name of its holder, where the provider tells it."),
  webhook_url: text("Where the provider sends its callbacks.", ["https://pay.example.com/api/payments/gateway/webhook/gc_01m7wje4wze7as3wcxk3xbrgav"]),
  old_fields_until: instantOrNull("Until when callbacks signed with former fields are believed; null when none are."),
  last_success_at: instantOrNull("When the provider last answered a call as it should; null where none is on record. Attempts are kept for 30 days."),
  consecutive_failures: integer("Requests that failed since the provider last answered."),
  paused_until: instantOrNull("The provider did not answer lately: it is not asked until then."),
  comparison: shapeOrNull<ShownComparison>("How its payments compare with the provider's own list, a day at a time; null before the first time.", {
    status: oneOf(
      ["equal", "different", "failed", "unlisted"],
      "`different`: something did not fit, and exceptions tell what. `failed`: the list couldn't be had; it is asked for again. `unlisted`: the provider has no list.",
    ),
    ran_at: instant("When it was last tried."),
    compared_until: instantOrNull("Until when the provider's list was compared."),
    lines: integer("Payments and refunds that the provider listed for the newest day, those of other programs included."),
    differences: integer("How many did not fit, with payments that should have been listed by now."),
    error: shapeOrNull<{ code: string; message: string }>("Why it failed.", {
      code: text("The provider's code, or `timeout`, `connection`, `breaker_open`.", ["timeout"]),
      message: text("A sentence for people."),
    }),
  }),
  version: integer("Grows by one with each change."),
  created_at: instant("When it was added."),
  created_by: text("Who added it."),
  updated_at: instant("When it was last changed."),
  updated_by: text("Who changed it last."),
});

const choices = {
  label: Type.Optional(textOrNull("A name of yours.", { maxLength: 100 })),
  enabled: Type.Optional(Type.Boolean({ description: "`false`: no new payments go there." })),
  position: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: "Its place among the accounts. Default: the last one." })),
  weight: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000, description: "Its part of the payments among accounts in the same position. Default: 100." }),
  ),
  limits: Type.Optional(limitsIn),
  currencies: Type.Optional(currencyCodes("Currencies it takes, at most those of the gateway; null: all of them.")),
};

export const credentialIn = strict({
  fields: Type.Optional(fieldsIn("The fields of the gateway's form: `credential_fields` in the list of gateways names them. Required, except with `demo`.")),
  demo: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        "`true`: the gateway's demo account, in place of `fields`. Its provider is simulated by this server, and it takes payments while the gateway has no other account. Only in TEST; there is one for each gateway.",
    }),
  ),
  ...choices,
});

export const credentialChangeIn = strict({
  fields: Type.Optional(fieldsIn("Fields given anew; the others stay. `null` takes one out.")),
  expire_old_in_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * 86_400,
      default: 86_400,
      description: "With `fields`: how long callbacks that the provider signed with the former ones are still believed, at most seven days. Default: a day.",
    }),
  ),
  ...choices,
});

/** An account as the API shows it. */
export function showGatewayCredential({ gateways, publicUrl }: Pick<Ctx, "gateways" | "publicUrl">, row: FaringCredential) {
  const { id, project_id, livemode, gateway, demo, label, enabled, position, weight, min_minor, max_minor, currencies, status, checked_at, check_error } = row;
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
    ...Object.entries(secret_last4).map(([name, last4]): [string, ShownField] => [name, { secret: true, value: null, last4: last4 === "" ? null : last4 }]),
  ];
  return Object.fromEntries(shown.sort(([left], [right]) => (order.get(left) ?? 0) - (order.get(right) ?? 0)));
}
