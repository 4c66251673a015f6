import { allRoles, type Role } from "#identity/index.ts";
import type { RouteEntry } from "#requests/route-table.ts";
import type { Api } from "#test/support/app/api.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { pageHeaders, type Visitor, visitor, withHeaders } from "#test/support/people/visitors.ts";

/** The state in which a person calls a route for people; by default, an owner who signed in just now. */
export interface PersonCase {
  as?: "a role that may not" | "stale" | "another site";
}

interface PersonRefusal extends PersonCase {
  name: string;
  status: number;
  code: string;
  key?: "own";
  payload?: string;
  headers?: Record<string, string>;
}

/** What every route for people refuses, by its declaration. */
export function refusalsOfPeople({ config, method }: RouteEntry): PersonRefusal[] {
  const rows: PersonRefusal[] = [
    { name: "an API key with every permission", key: "own", status: 403, code: "session_required" },
    { name: "a page of another site", as: "another site", status: 403, code: "origin_not_allowed" },
  ];
  if (config.roles?.length !== allRoles.length)
    rows.push({ name: "a role that may not", as: "a role that may not", status: 403, code: "permission_denied" });
  if (config.confirmed === true)
    rows.push({ name: "a session that is not fresh", as: "stale", status: 403, code: "fresh_session_required" });
  if (method !== "GET") {
    rows.push({
      name: "JSON that a form of another site could send",
      payload: "{}",
      headers: { "content-type": "text/plain" },
      status: 403,
      code: "origin_not_allowed",
    });
  }
  return rows;
}

/** Finds the person of a row, in the tenant's environment. Each role signs in once. */
export type People = (row: PersonCase) => Promise<Api>;

/** The people of a tenant who call a route for people. */
export function peopleOf(app: TestApp, { shop, entry }: { shop: TestTenant; entry: RouteEntry }): People {
  const signedIn = new Map<Role, Promise<Visitor>>();
  const personIn = (role: Role) => {
    const person = signedIn.get(role) ?? visitor(app, { merchant_id: shop.merchant_id, role });
    signedIn.set(role, person);
    return person;
  };
  const wrongRole = allRoles.find((role) => entry.config.roles?.includes(role) !== true);
  const environment = shop.livemode ? "live" : "test";
  return async ({ as }) => {
    const person = await personIn(as === "a role that may not" && wrongRole !== undefined ? wrongRole : "owner");
    if (as !== "another site") return person.in(environment);
    const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    return withHeaders(app, pageHeaders(person.cookie, { "tillpost-environment": environment, ...elsewhere }));
  };
}
