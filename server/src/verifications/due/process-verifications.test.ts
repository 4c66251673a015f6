import { expect, test } from "vitest";
import { countPutOff } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { verificationRoom } from "#test/support/messages/verifications.ts";

const app = await testApp();
const { ctx, clock } = app;
const room = verificationRoom(ctx);

test("a verification that can be neither processed nor postponed keeps no other one from being processed", async () => {
  const odd = await room.start(await app.tenant());
  clock.advance(1_000);
  const other = await room.start(await app.tenant());
  const allow = await refuseRows(app, "verifications", { ids: [odd.id] });
  clock.advance(3_600_000);
  await room.processDue();
  expect([(await room.find(odd)).status, (await room.find(other)).status]).toEqual(["pending", "expired"]);
  expect(countPutOff(ctx.db, "tend_verifications")).toBe(1);
  await allow();
});
