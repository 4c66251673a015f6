import { test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { expectHonestBooks } from "#test/support/payments/ledger-model.ts";

const app = await testApp();

test("every balance is the sum of what was booked, and a refused booking leaves nothing", async () => {
  await expectHonestBooks(app, 20);
});
