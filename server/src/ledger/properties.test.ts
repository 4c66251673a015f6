import { test } from "vitest";
import { house } from "#test/support/house/house.ts";
import { expectHonestBooks } from "#test/support/payments/ledger-model.ts";

const home = await house();

test("every balance is the sum of what was booked, and a refused booking leaves nothing", async () => {
  await expectHonestBooks(home, 40);
});
