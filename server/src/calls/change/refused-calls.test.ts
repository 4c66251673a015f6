import { expect, test } from "vitest";
import { countPutOff } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { callRoom } from "#test/support/messages/calls.ts";
import { reviveCalls } from "../running/revive-calls.ts";
import type { CallRow } from "../shapes.ts";
import { expireCalls, releaseCalls } from "./maintain-calls.ts";

const app = await testApp();
const room = callRoom(app);
const { ctx } = room;

/** One call of each of three merchants. */
async function three(given: Parameters<typeof room.place>[1]): Promise<CallRow[]> {
  const made: CallRow[] = [];
  for (let n = 0; n < 3; n += 1) made.push(await room.place(await app.tenant(), given));
  return made;
}
const statusesOf = (made: readonly CallRow[]) => Promise.all(made.map(async (call) => (await room.find(call)).status));
const refuseFirst = (made: readonly CallRow[]) => refuseRows(app, "calls", { ids: made.slice(0, 1).map(({ id }) => id) });

test("a scheduled call that can't be released keeps no other one waiting", async () => {
  const made = await three({ scheduled_at: new Date(app.clock.now().getTime() + 600_000).toISOString() });
  const allow = await refuseFirst(made);
  app.clock.advance(600_000);
  expect(await releaseCalls(ctx)).toBe(2);
  expect(await statusesOf(made)).toEqual(["scheduled", "queued", "queued"]);
  expect(countPutOff(ctx.db, "release_calls")).toBe(1);
  await allow();
});

test("a call that can't be ended keeps no other one from expiring", async () => {
  const made = await three({ expires_in: 60 });
  const allow = await refuseFirst(made);
  app.clock.advance(60_000);
  expect(await expireCalls(ctx)).toBe(2);
  expect(await statusesOf(made)).toEqual(["queued", "failed", "failed"]);
  await allow();
});

test("a lost worker's call that can't be released keeps none of the others leased", async () => {
  const made = await three({});
  const lost = "state = 'leased', lease = 'dlv_lost 1', lease_until = app_now() - interval '1 second'";
  for (const { id } of made) await runStatement(app.ctx.db, `update calls set ${lost} where id = ?`, id);
  const allow = await refuseFirst(made);
  await reviveCalls(ctx);
  expect(await Promise.all(made.map(async (call) => (await room.find(call)).state))).toEqual(["leased", "due", "due"]);
  await allow();
});
