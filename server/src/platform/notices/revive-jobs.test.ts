import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { countPutOff } from "../queue/put-off.ts";
import { notice } from "./notice.ts";
import { reviveJobs } from "./revive-jobs.ts";
import { noticeQueue } from "./sql.ts";

const app = await testApp();
const { ctx } = app;
const task = "revive_notices";

test("a lost worker's job that can't be made due keeps none of its other jobs from it", async () => {
  await ctx.transact(async (tx) => {
    for (let n = 0; n < 3; n += 1) await notice(tx, ctx, { kind: "contract", recipient: `${n}@example.com`, params: {} });
  });
  const lost = "state = 'leased', lease = 'dlv_lost 1', lease_until = app_now() - interval '1 second'";
  await runStatement(ctx.db, `update notices set ${lost} where kind = 'contract'`);
  const list = () =>
    runStatement<{ id: string; state: string }>(ctx.db, "select id, state from notices where kind = 'contract' order by id");
  const [odd] = await list();
  const allow = await refuseRows(app, "notices", { ids: [odd?.id ?? ""] });
  expect(await reviveJobs(ctx, noticeQueue, task)).toBe(2);
  expect((await list()).map(({ state }) => state)).toEqual(["leased", "due", "due"]);
  expect(countPutOff(ctx.db, task)).toBe(1);
  await allow();
  expect(await reviveJobs(ctx, noticeQueue, task)).toBe(1);
  expect([(await list()).map(({ state }) => state), countPutOff(ctx.db, task)]).toEqual([["due", "due", "due"], 0]);
});
