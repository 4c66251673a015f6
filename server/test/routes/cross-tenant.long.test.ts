import { describe, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { attackedSettings, expectUnchanged, keepOut, openTenants, tryTokens } from "./attacks.ts";

const tenants = await openTenants(await testApp(attackedSettings));

describe.each(tenants.keyRoutes.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  test("reveals nothing to any stranger, key without the permission and other tenant, and writes nothing", () =>
    expectUnchanged(tenants, () => keepOut(tenants, route, (all) => all)));
});

describe.each(tenants.publicRoutes.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  test("responds the same to a token that never existed and to one that is nearly right, and writes nothing", () =>
    expectUnchanged(tenants, () => tryTokens(tenants, route)));
});
