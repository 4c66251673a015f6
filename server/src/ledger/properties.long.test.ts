import { test } from "vitest";
import { house } from "#test/support/house/house.ts";
import { expectHonestBooks } from "#test/support/payments/ledger-model.ts";

const home = await house();

test("balances stay the sum of what was booked through 2 000 random histories", async () => {
  await expectHonestBooks(home, 2000);
});
