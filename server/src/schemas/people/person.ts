import Type from "typebox";
import { allRoles, type Membership, type OpenSession, type PersonRow, type Principal, type Role, scopesOfRole } from "#identity/index.ts";
import { flag, idOf, instant, instantOrNull, languageField, oneOf, shape, shapeOrNull, text, textOrNull } from "../fields/fields.ts";

export type MeShape = ReturnType<typeof showMe>;
export type SessionShape = ReturnType<typeof showSession>;
export type ActiveShape = ReturnType<typeof showActive>;

const environment = (description: string) => oneOf(["TEST", "LIVE"], description);
const names = (description: string) => Type.Unsafe<string[]>({ type: "array", items: { type: "string" }, description });

export const activeProjectSchema = shape("ActiveProject", "What paths without a project mean in this session.", {
  object: oneOf(["active_project"], "Always `active_project`."),
  active_project_id: textOrNull("The project; null: the merchant's newest."),
  active_environment: environment("The environment."),
});

const membership = Type.Object(
  {
    merchant_id: idOf("mer", "The merchant."),
    merchant_name: text("Its name."),
    verification_status: oneOf(["pending", "verified", "rejected"], "Only a verified merchant can take LIVE money."),
    second_step_required: flag("Whether it asks everyone of its team for a second step."),
    role: oneOf(allRoles, "What the person is there."),
    permissions_test: names("What they may do there in TEST."),
    permissions_live: names("What they may do there in LIVE."),
  },
  { description: "A merchant that the person belongs to." },
);

export const meSchema = shape("Me", "The signed-in person.", {
  id: idOf("usr", "The person's id."),
  object: oneOf(["person"], "Always `person`."),
  email: text("The address that they sign in with."),
  email_verified: flag("Whether the address was confirmed."),
  name: text("How they are called."),
  language: languageField("The language of pages and mails."),
  is_operator: flag("Whether they run this installation."),
  two_factor_enabled: flag("Whether signing in takes a second step."),
  has_second_step: flag("Whether this session is worth more than a password: two-step sign-in is on, or a passkey opened it."),
  second_step_due_at: instantOrNull("Until when an operator may act without a second step; null: not asked for."),
  memberships: Type.Array(membership, { description: "Where they belong, the oldest first." }),
  current: shapeOrNull<{ merchant_id: string; role: string; permissions_test: string[]; permissions_live: string[] }>("The merchant of this request.", {
    merchant_id: idOf("mer", "The merchant."),
    role: oneOf(allRoles, "What the person is there."),
    permissions_test: names("What they may do in TEST."),
    permissions_live: names("What they may do in LIVE."),
  }),
  active_project_id: textOrNull("The project that paths without one mean."),
  active_environment: environment("The environment of requests that name none."),
  session_id: idOf("ses", "This session."),
  confirmed_at: instant("When they last proved who they are in this session."),
  fresh_until: instant("Until when that is enough for keys, secrets and codes."),
  created_at: instant("When the account was made."),
  updated_at: instant("When it was last changed."),
});

export const sessionSchema = shape("PersonSession", "One place where a person is signed in.", {
  id: idOf("ses", "The session's id."),
  object: oneOf(["session"], "Always `session`."),
  is_current: flag("Whether it is the one that asks."),
  ip_address: textOrNull("Where it was opened from."),
  user_agent: textOrNull("The browser that opened it."),
  confirmed_at: instant("When the person last proved who they are in it."),
  expires_at: instant("When it ends by itself."),
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
  return { id, object: "session" as const, is_current: id === currentId, ip_address, user_agent, confirmed_at, expires_at, created_at, updated_at };
}

export function showActive({ active_project_id, active_livemode }: { active_project_id: string | null; active_livemode: boolean }) {
  return { object: "active_project" as const, active_project_id, active_environment: active_livemode ? ("LIVE" as const) : ("TEST" as const) };
}
