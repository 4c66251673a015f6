import { describe, expect, test } from "vitest";
import { allRoles } from "#identity/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { findWrong, openPremises, peopleSettings } from "./people.ts";

const premises = await openPremises(await testApp(peopleSettings));

// The most powerful roles are last, so that what they end existed for the others.
describe.each([...allRoles].reverse())("the table of roles and routes holds for %ss", (role) => {
  test.each(["TEST", "LIVE"] as const)("in %s", async (environment) => {
    expect(await findWrong(premises, { role, environment, audits: true })).toEqual([]);
  });
});
