import Type from "typebox";
import { allRoles, type Membership, type OpenSession, type PersonRow, type Principal, type Role, scopesOfRole } from "#identity/index.ts";
import { flag, idOf, instant, instantOrNull, languageField, oneOf, shape, shapeOrNull, text, textOrNull } from "../fields/fields.ts";

export type MeShape = ReturnType<typeof showMe>;
export type SessionShape = ReturnType<typeof showSession>;
export type ActiveShape = ReturnType<typeof showActive>;

const environment = (description: string) => oneOf(["TEST", "LIVE"], description);
const names = (description: string) => Type.Unsafe<string[]>({ type: "array", items: { type: "string" }, description });

export const activeProjectSchema = shape("ActiveProject", "The project and environment that paths without a project use in this session.", {
  object: oneOf(["active_project"], "Always `active_project`."),
  active_project_id: textOrNull("The project; null for the merchant's newest."),
  active_environment: environment("The environment."),
});

const membership = Type.Object(
  {
    merchant_id: idOf("mer", "The merchant."),
    merchant_name: text("Its name."),
    verification_status: oneOf(["pending", "verified", "rejected"], "Only a verified merchant can accept LIVE payments."),
    second_step_required: flag("Whether all its members need a second step."),
    role: oneOf(allRoles, "The person's role there."),
    permissions_test: names("The permissions they have there in TEST."),
    permissions_live: names("The permissions they have there in LIVE."),
  },
  { description: "A merchant the person belongs to." },
);

export const meSchema = shape("Me", "The signed-in person.", {
  id: idOf("usr", "The person's ID."),
  object: oneOf(["person"], "Always `person`."),
  email: text("The email address they sign in with."),
  email_verified: flag("Whether the address was confirmed."),
  name: text("Their name."),
  language: languageField("The language of pages and emails."),
  is_operator: flag("Whether they're an operator of this installation."),
  two_factor_enabled: flag("Whether two-step sign-in is on."),
  has_second_step: flag(
    "Whether this session is protected by more than a password: two-step sign-in is on, or it was opened with a passkey.",
  ),
  second_step_due_at: instantOrNull("Until when an operator can act without a second step; null if none is required."),
  memberships: Type.Array(membership, { description: "The merchants they belong to, oldest first." }),
  current: shapeOrNull<{ merchant_id: string; role: string; permissions_test: string[]; permissions_live: string[] }>(
    "The merchant of this request.",
    {
      merchant_id: idOf("mer", "The merchant."),
      role: oneOf(allRoles, "The person's role there."),
      permissions_test: names("The permissions they have in TEST."),
      permissions_live: names("The permissions they have in LIVE."),
    },
  ),
  active_project_id: textOrNull("The project that paths without a project use."),
  active_environment: environment("The environment of requests that don't specify one."),
  session_id: idOf("ses", "This session."),
  confirmed_at: instant("When they last confirmed their identity in this session."),
  fresh_until: instant("Until when that confirmation is enough to change keys, secrets and codes."),
  created_at: instant("When the account was created."),
  updated_at: instant("When it was last updated."),
});

export const sessionSchema = shape("PersonSession", "A place where a person is signed in.", {
  id: idOf("ses", "The session's ID."),
  object: oneOf(["session"], "Always `session`."),
  is_current: flag("Whether it's the session of this request."),
  ip_address: textOrNull("The address it was opened from."),
  user_agent: textOrNull("The browser that opened it."),
  confirmed_at: instant("When the person last confirmed their identity in it."),
  expires_at: instant("When it expires."),
  created_at: instant("When it was opened."),
  updated_at: instant("When it was last extended or changed."),
});

const confirmedMs = 10 * 60_000;

export function showMe(person: PersonRow, given: { principal: Principal; memberships: Membership[] }) {
  const { principal, memberships } = given;
  const { visitor } = principal;
  const confirmed = visitor?.confirmed_at ?? person.created_at;
  const role = visitor?.role ?? null;
  const { id, email, email_verified, name, language, is_operator, two_factor_enabled, created_at, updated_at } = person;
  return {
    ...{ id, object: "person" as const, email, email_verified, name, language, is_operator, two_factor_enabled },
    has_second_step: visitor?.has_second_step ?? false,
    second_step_due_at: visitor?.second_step_due_at ?? null,
    memberships: memberships.map((membership) => ({ ...membership, ...permissionsOf(membership.role) })),
    current:
      role === null
        ? null
        : {
            merchant_id: principal.merchant_id,
            role,
            ...permissionsOf(role),
          },
    active_project_id: principal.project_id === "" ? null : principal.project_id,
    active_environment: visitor?.active_livemode === true ? ("LIVE" as const) : ("TEST" as const),
    session_id: visitor?.session_id ?? "",
    confirmed_at: confirmed,
    fresh_until: new Date(confirmed.getTime() + confirmedMs),
    ...{ created_at, updated_at },
  };
}

function permissionsOf(role: Role) {
  return { permissions_test: [...scopesOfRole(role, false)], permissions_live: [...scopesOfRole(role, true)] };
}

export function showSession({ id, ip_address, user_agent, ...times }: OpenSession, currentId: string) {
  const { confirmed_at, expires_at, created_at, updated_at } = times;
  return {
    id,
    object: "session" as const,
    is_current: id === currentId,
    ip_address,
    user_agent,
    confirmed_at,
    expires_at,
    created_at,
    updated_at,
  };
}

export function showActive({ active_project_id, active_livemode }: { active_project_id: string | null; active_livemode: boolean }) {
  return {
    object: "active_project" as const,
    active_project_id,
    active_environment: active_livemode ? ("LIVE" as const) : ("TEST" as const),
  };
}
