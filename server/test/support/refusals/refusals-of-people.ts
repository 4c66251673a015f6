import type { RouteEntry } from "#http/route-table.ts";
import { allRoles } from "#identity/index.ts";
import type { Api } from "#test/support/app/api.ts";
import type { TestApp, TestTenant } from "#test/support/app/test-app.ts";
import { pageHeaders, visitor, withHeaders } from "#test/support/people/visitors.ts";

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

/** The person of a row, signed in, in the tenant's environment. */
export async function personAs(app: TestApp, given: { shop: TestTenant; entry: RouteEntry; row: PersonCase }): Promise<Api> {
  const { shop, entry, row } = given;
  const wrongRole = allRoles.find((role) => entry.config.roles?.includes(role) !== true);
  const role = row.as === "a role that may not" && wrongRole !== undefined ? wrongRole : "owner";
  const person = await visitor(app, { merchant_id: shop.merchant_id, role });
  if (row.as === "stale") app.clock.advance(10 * 60_000 + 1);
  const environment = { "tillpost-environment": shop.livemode ? "live" : "test" };
  if (row.as !== "another site") return person.in(shop.livemode ? "live" : "test");
  const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  return withHeaders(app, pageHeaders(person.cookie, { ...environment, ...elsewhere }));
}
