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
  id: idOf("mem", "The membership's ID."),
  object: oneOf(["member"], "Always `member`."),
  merchant_id: idOf("mer", "The merchant."),
  person_id: idOf("usr", "The person."),
  email: text("Their email address."),
  name: text("Their name."),
  two_factor_enabled: flag("Whether they use two-step sign-in."),
  role: role("Their role, which determines their permissions."),
  new_owner_until: instantOrNull(
    "Until when a newly added owner, or a member who got the role from one, can't change LIVE codes, LIVE keys, LIVE gateway accounts or owners.",
  ),
  version: integer("Increases by one with every change."),
  created_at: instant("When they joined."),
  updated_at: instant("When their role was last changed."),
});

export const removalSchema = shape("MemberRemoval", "A removed member, and what happened to the API keys they created.", {
  id: idOf("mem", "The membership's ID."),
  object: oneOf(["member"], "Always `member`."),
  deleted: Type.Unsafe<true>({ type: "boolean", const: true, description: "Always true." }),
  revoked_api_keys: Type.Array(idOf("key", "A key's ID."), { description: "The keys that were revoked in the same step." }),
  api_keys: Type.Array(Type.Unsafe<ApiKeyShape>({ $ref: "ApiKey#" }), { description: "Keys they created that still work, newest first." }),
});

export const invitationSchema = shape("Invitation", "An invitation that hasn't been accepted yet.", {
  id: idOf("inv", "The invitation's ID."),
  object: oneOf(["invitation"], "Always `invitation`."),
  merchant_id: idOf("mer", "The merchant."),
  email: text("The address that was invited."),
  role: role("The role they will have."),
  language: languageField("The email's language."),
  invited_by: text("Who invited them."),
  expires_at: instant("When the link expires."),
  created_at: instant("When they were invited."),
});

export const auditSchema = shape("AuditEntry", "Who did what. Entries are never changed; a hash chains each to all before it.", {
  id: idOf("aud", "The entry's ID."),
  object: oneOf(["audit_entry"], "Always `audit_entry`."),
  merchant_id: idOf("mer", "The merchant whose log it is."),
  project_id: textOrNull("The project, if the action concerned one."),
  livemode: Type.Unsafe<boolean | null>({ type: ["boolean", "null"], description: "The environment, if the action concerned a project." }),
  actor_kind: oneOf(["api_key", "person", "buyer", "provider", "system"], "What kind of actor did it."),
  actor_id: text("Its ID."),
  actor_email: textOrNull("A person's address."),
  action: text("The action.", ["api_key.rotated"]),
  object_type: text("The type of object the action was on."),
  object_id: textOrNull("Its ID."),
  detail: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, description: "The action's details." }),
  request_id: textOrNull("The request that did it."),
  position: Type.Unsafe<number | null>({
    type: ["integer", "null"],
    description: "Its position in the merchant's chain; null for the first moments after the action.",
  }),
  hash: textOrNull("The hash of the entry and the one before it."),
  created_at: instant("When it happened."),
});

const email = Type.String({ format: "email", maxLength: 254, description: "The address to invite." });
export const invitationIn = strict({
  email,
  role: role("The role they will have."),
  language: Type.Optional(languageField("The email's language. Defaults to yours.")),
});
export const memberChangeIn = strict({ role: role("Their new role.") });
export const merchantChangeIn = strict({
  display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "The name people see." })),
  country: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      pattern: "^[A-Z]{2}$",
      description: "The country's ISO 3166 code.",
      examples: ["CN"],
    }),
  ),
  second_step_required: Type.Optional(
    Type.Boolean({ description: "Whether all members need two-step sign-in or a passkey. The person who turns this on must have one." }),
  ),
  shortfall_tolerance_bps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description:
        "How much less than the amount due a reviewer can accept without confirming it, in hundredths of a percent. Defaults to 100 (1%).",
      examples: [100],
    }),
  ),
});

export function showMember({ id, merchant_id, person_id, email: address, name, two_factor_enabled, role: held, ...rest }: MemberRow) {
  const { new_owner_until, version, created_at, updated_at } = rest;
  const member = { id, object: "member" as const, merchant_id, person_id, email: address, name, two_factor_enabled, role: held };
  return { ...member, new_owner_until, version, created_at, updated_at };
}

export function showInvitation({
  id,
  merchant_id,
  email: address,
  role: wanted,
  language,
  invited_by,
  expires_at,
  created_at,
}: InvitationRow) {
  return { id, object: "invitation" as const, merchant_id, email: address, role: wanted, language, invited_by, expires_at, created_at };
}

export function showAudit(row: AuditRow) {
  const { id, ...rest } = row;
  return { id, object: "audit_entry" as const, ...rest, actor_kind: row.actor_kind as "person" };
}

export function showRemoval({ id, revoked_api_keys, api_keys }: Removal) {
  return { id, object: "member" as const, deleted: true as const, revoked_api_keys, api_keys: api_keys.map((key) => showKey(key)) };
}
