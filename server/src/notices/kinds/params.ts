import Type, { type Static, type TSchema } from "typebox";
import { channels } from "#collection/index.ts";
import { securityChanges } from "./facts.ts";

const text = Type.String({ minLength: 1, maxLength: 4_000 });
const maybe = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const instant = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" });
const language = maybe(Type.String());
const project = { project_id: text, livemode: Type.Boolean() };
const account = { ...project, credential_id: text, gateway: text, label: maybe(text), message: maybe(text), at: instant };

/** What the rooms below write for each kind of notice. */
export const paramsTable = {
  email_verification: Type.Object({ language, url: text, minutes: maybe(Type.Integer({ minimum: 1 })) }),
  password_reset: Type.Object({ language, url: text, minutes: maybe(Type.Integer({ minimum: 1 })) }),
  sign_up_again: Type.Object({ language, url: text }),
  invitation: Type.Object({
    language,
    url: text,
    merchant_name: text,
    invited_by: maybe(text),
    role: maybe(text),
    expires_at: maybe(instant),
    verified: maybe(Type.Boolean()),
  }),
  sign_in_alert: Type.Object({ language, url: maybe(text), at: instant, device: maybe(text), address: maybe(text) }),
  security_changed: Type.Object({ language, url: maybe(text), at: instant, change: Type.Enum([...securityChanges]), address: maybe(text) }),
  team_changed: Type.Object({
    merchant_id: text,
    person: text,
    email: text,
    before: maybe(text),
    after: maybe(text),
    by: text,
    at: instant,
    new_owner_until: maybe(instant),
  }),
  proof_waiting: Type.Object({ order_id: text, livemode: Type.Boolean() }),
  canceled_order_claimed: Type.Object({ ...project, order_id: text }),
  order_paid: Type.Object({ ...project, order_id: text, gateway: maybe(text) }),
  order_refunded: Type.Object({ ...project, order_id: text, refund_id: text }),
  refund_claim: Type.Object({ ...project, order_id: text, refund_id: text }),
  refund_returned: Type.Object({ ...project, order_id: text, refund_id: text }),
  refund_failed: Type.Object({ ...project, refund_id: text }),
  "webhook.failing": Type.Object({
    ...project,
    webhook_id: text,
    url: text,
    failing_since: instant,
    hours: Type.Integer(),
    disabled_after_hours: Type.Integer(),
  }),
  "webhook.disabled": Type.Object({ ...project, webhook_id: text, url: text, reason: Type.Enum(["gone", "failing"]) }),
  "webhook.callbacks_failing": Type.Object({
    ...project,
    url: text,
    others: Type.Integer(),
    failing_since: instant,
    ended_after_hours: Type.Integer(),
  }),
  collection_code_changed: Type.Object({ project_id: text, channel: Type.Enum([...channels]), changed_by: text, at: instant }),
  merchant_verified: Type.Object({}),
  merchant_rejected: Type.Object({ reason: maybe(text) }),
  sending_suspended: Type.Object({ reason: text }),
  sending_resumed: Type.Object({}),
  letter_received: Type.Object({ to: text, from: text, subject: Type.String({ maxLength: 500 }), text: Type.String({ maxLength: 4_000 }) }),
  audit_anchored: Type.Object({ at: instant, chains: Type.Integer(), rows: Type.Integer(), root: text }),
  keys_without_receipts: Type.Object({ project_id: text, keys: Type.Array(text, { minItems: 1, maxItems: 20 }) }),
  job_set_aside: Type.Object({ queue: text, jobs: Type.Array(text, { minItems: 1, maxItems: 20 }), count: Type.Integer({ minimum: 1 }) }),
  backup_missing: Type.Object({
    newest: maybe(instant),
    reason: maybe(text),
    folder: text,
    bucket: maybe(text),
    what: Type.Optional(Type.Enum(["backup", "write_ahead_log"])),
  }),
  gateway_account_refused: Type.Object(account),
  gateway_account_accepted: Type.Object(account),
  number_approved: Type.Object({
    ...project,
    value: text,
    channels: Type.Array(Type.Enum(["sms", "call"])),
    countries: Type.Union([Type.Array(text, { maxItems: 250 }), Type.Null()]),
  }),
  number_rejected: Type.Object({ ...project, value: text, was_approved: Type.Boolean(), reason: text }),
  countries_added: Type.Object({ ...project, countries: Type.Array(text, { minItems: 1, maxItems: 250 }), changed_by: text, at: instant }),
  spend_cap: Type.Object({
    ...project,
    measure: Type.Enum(["spend_micros", "segments", "minutes"]),
    period: Type.String({ pattern: "^\\d{4}-\\d\\d(-\\d\\d)?$" }),
    cap: Type.Integer({ minimum: 0 }),
    currency: Type.Union([text, Type.Null()]),
    level: Type.Integer({ minimum: 1, maximum: 100 }),
  }),
  prefix_paused: Type.Object({
    ...project,
    channel: Type.Enum(["sms", "call"]),
    prefix: Type.String({ pattern: "^[0-9]{1,15}$" }),
    cause: Type.Enum(["sequential_numbers", "dominant_prefix", "no_conversions"]),
    messages: Type.Integer({ minimum: 0 }),
  }),
  domain_lost: Type.Object({ ...project, domain_id: text, domain: text, missing: maybe(Type.Array(text, { maxItems: 20 })) }),
} satisfies Record<string, TSchema>;

export type ParamsOf = { [K in keyof typeof paramsTable]: Static<(typeof paramsTable)[K]> };

/**
 * The params of one notice, or null if they don't have this kind's shape. The checker consists of 300 modules that startup doesn't need, so
 * it is loaded on first use.
 */
export async function readParams<K extends keyof ParamsOf>(kind: K, params: unknown): Promise<ParamsOf[K] | null> {
  const { Value } = await import("typebox/value");
  return Value.Check(paramsTable[kind], params) ? (params as ParamsOf[K]) : null;
}
