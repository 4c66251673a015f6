import Type from "typebox";
import type { AuditRow } from "#audit/index.ts";
import { allRoles, type InvitationRow, type MemberRow, type Removal } from "#identity/index.ts";
import { flag, idOf, instant, instantOrNull, integer, languageField, oneOf, shape, strict, text, textOrNull } from "../fields/fields.ts";
import { type ApiKeyShape, showKey } from "./api-key.ts";

export type MemberShape = ReturnType<typeof showMember>;
export type RemovalShape = ReturnType<typeof showRemoval>;
export type InvitationShape = ReturnType<typeof showInvitation>;
export type AuditShape = ReturnType<typeof showAudit>;

const role = (description: string) => oneOf(allRoles, description);

export const memberSchema = shape("Member", "A person who belongs to a merchant.", {
  id: idOf("mem", "The membership's id."),
  object: oneOf(["member"], "Always `member`."),
  merchant_id: idOf("mer", "The merchant."),
  person_id: idOf("usr", "The person."),
  email: text("Their address."),
  name: text("How they are called."),
  two_factor_enabled: flag("Whether they sign in with a second step."),
  role: role("What they may do."),
  new_owner_until: instantOrNull(
    "Until when an owner who was added later, or a member to whom such an owner gave the role, cannot change LIVE codes, LIVE keys, LIVE gateway accounts or owners.",
  ),
  version: integer("Grows by one with each change."),
  created_at: instant("When they joined."),
  updated_at: instant("When their role was last changed."),
});

export const removalSchema = shape("MemberRemoval", "A member who was removed, and what became of the API keys that they made.", {
  id: idOf("mem", "The membership's id."),
  object: oneOf(["member"], "Always `member`."),
  deleted: Type.Unsafe<true>({ type: "boolean", const: true, description: "Always true." }),
  revoked_api_keys: Type.Array(idOf("key", "A key's id."), { description: "The keys that were revoked in the same step." }),
  api_keys: Type.Array(Type.Unsafe<ApiKeyShape>({ $ref: "ApiKey#" }), { description: "Keys that they made and that still work, newest first." }),
});

export const invitationSchema = shape("Invitation", "Somebody who was asked to join and has not yet.", {
  id: idOf("inv", "The invitation's id."),
  object: oneOf(["invitation"], "Always `invitation`."),
  merchant_id: idOf("mer", "The merchant."),
  email: text("Who was asked."),
  role: role("What they will be."),
  language: languageField("Language of the mail."),
  invited_by: text("Who asked them."),
  expires_at: instant("When the link ends."),
  created_at: instant("When they were asked."),
});

export const auditSchema = shape("AuditEntry", "Who did what. Entries are never changed; a hash binds each to all before it.", {
  id: idOf("aud", "The entry's id."),
  object: oneOf(["audit_entry"], "Always `audit_entry`."),
  merchant_id: idOf("mer", "The merchant whose log it is."),
  project_id: textOrNull("The project, when one was meant."),
  livemode: Type.Unsafe<boolean | null>({ type: ["boolean", "null"], description: "The environment, when a project was meant." }),
  actor_kind: oneOf(["api_key", "person", "buyer", "provider", "system"], "What acted."),
  actor_id: text("Its id."),
  actor_email: textOrNull("A person's address."),
  action: text("What happened.", ["api_key.rotated"]),
  object_type: text("What it happened to."),
  object_id: textOrNull("Its id."),
  detail: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description: "What exactly." }),
  request_id: textOrNull("The request that did it."),
  position: Type.Unsafe<number | null>({ type: ["integer", "null"], description: "Its place in the merchant's chain; null for the first moments." }),
  hash: textOrNull("Hash over the entry and the one before it."),
  created_at: instant("When."),
});

const email = Type.String({ format: "email", maxLength: 254, description: "Whom to ask." });
export const invitationIn = strict({
  email,
  role: role("What they will be."),
  language: Type.Optional(languageField("Language of the mail. Default: yours.")),
});
export const memberChangeIn = strict({ role: role("What they may do from now on.") });
export const merchantChangeIn = strict({
  display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "The name that people see." })),
  country: Type.Optional(
    Type.Unsafe<string | null>({ type: ["string", "null"], pattern: "^[A-Z]{2}$", description: "ISO 3166 code of the country.", examples: ["CN"] }),
  ),
  second_step_required: Type.Optional(
    Type.Boolean({ description: "Whether everyone of the team needs two-step sign-in or a passkey. Whoever turns it on must have one." }),
  ),
  shortfall_tolerance_bps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: "How much less than the amount due a person may accept without confirming it, in hundredths of a percent. Default: 100 (1%).",
      examples: [100],
    }),
  ),
});

export function showMember({ id, merchant_id, person_id, email: address, name, two_factor_enabled, role: held, ...rest }: MemberRow) {
  const { new_owner_until, version, created_at, updated_at } = rest;
  const member = { id, object: "member" as const, merchant_id, person_id, email: address, name, two_factor_enabled, role: held };
  return { ...member, new_owner_until, version, created_at, updated_at };
}

export function showInvitation({ id, merchant_id, email: address, role: wanted, language, invited_by, expires_at, created_at }: InvitationRow) {
  return { id, object: "invitation" as const, merchant_id, email: address, role: wanted, language, invited_by, expires_at, created_at };
}

export function showAudit(row: AuditRow) {
  const { id, ...rest } = row;
  return { id, object: "audit_entry" as const, ...rest, actor_kind: row.actor_kind as "person" };
}

export function showRemoval({ id, revoked_api_keys, api_keys }: Removal) {
  return { id, object: "member" as const, deleted: true as const, revoked_api_keys, api_keys: api_keys.map((key) => showKey(key)) };
}
