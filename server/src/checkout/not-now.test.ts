import { it } from "vitest";
import { expectProofKept, nearLimits } from "#test/support/buyers/not-now.ts";
import { payPageApp } from "#test/support/payments/pay-page-app.ts";

const buyers = await payPageApp(nearLimits);

it("a proof sent online is kept on the device while the server refuses it for now, and arrives once", async () => {
  await expectProofKept(buyers, "online");
});
