import { test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { expectHonestBooks } from "#test/support/payments/ledger-model.ts";

const app = await testApp();

test("balances remain the sum of what was booked through 2 000 random histories", async () => {
  await expectHonestBooks(app, 2000);
});
