import { allScopes, graveScopes, type Scope } from "./scopes.ts";

/** A person's role at a merchant, most powerful first. */
export const allRoles = ["owner", "admin", "developer", "reviewer", "accountant", "viewer"] as const;
export type Role = (typeof allRoles)[number];

const reading = allScopes.filter((scope) => scope.endsWith(":read"));
const developing = allScopes.filter((scope) => !graveScopes.includes(scope));

const scopes: Record<Role, { test: readonly Scope[]; live: readonly Scope[] }> = {
  owner: alike(allScopes),
  admin: alike(allScopes),
  developer: { test: allScopes, live: developing },
  reviewer: alike(["orders:read", "payments:read", "payments:write", "reviews:write", "receipts:write"]),
  accountant: alike(["orders:read", "payments:read", "refunds:write"]),
  viewer: alike(reading),
};

const sets = Object.fromEntries(
  allRoles.map((role) => [role, { test: new Set<string>(scopes[role].test), live: new Set<string>(scopes[role].live) }]),
) as unknown as Record<Role, { test: ReadonlySet<string>; live: ReadonlySet<string> }>;

/** The permissions of a role in one environment: routes require the same of a person's role as of a key. */
export function scopesOfRole(role: Role, livemode: boolean): ReadonlySet<string> {
  return livemode ? sets[role].live : sets[role].test;
}

/** True if a member can invite someone to this role: owners to any, admins to any except owner. */
export function mayInvite(by: Role, invited: Role): boolean {
  return by === "owner" || (by === "admin" && invited !== "owner");
}

function alike(list: readonly Scope[]): { test: readonly Scope[]; live: readonly Scope[] } {
  return { test: list, live: list };
}
