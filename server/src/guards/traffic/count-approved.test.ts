import { expect, test } from "vitest";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { liveShop, openSms, scriptedCarrier } from "#test/support/messages/sms.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { codeOf } from "#verifications/derive-code.ts";
import { checkCode, resendCode, startVerification } from "#verifications/index.ts";

const app = await testApp({ sms: openSms([scriptedCarrier()]) });
const { ctx } = app;

const start = (shop: TestTenant) => startVerification(ctx, shop, { tier: "pro", verification: { to: "+14155552671", channels: ["sms"] } });
const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";

/** Begins an operation while a row of a counter is held, and asks for what the project has spent once the operation waits. */
async function spendingInParallel<Done>(
  { project_id }: TestTenant,
  counter: string,
  operation: () => Promise<Done>,
): Promise<{ done: Promise<Done>; spending: object[] }> {
  return ctx.transact(async (tx) => {
    await runStatement(tx, `select 1 from ${counter} where project_id = ? for update`, project_id);
    const done = operation();
    await eventually("it waits", async () => (await app.asSuperuser((db) => runStatement(db, waiting))).length > 0);
    return {
      done,
      spending: await runStatement(tx, "select used from message_spending where project_id = ? for update nowait", project_id),
    };
  });
}

test("a correct code whose message still waits locks nothing that messages being accepted need next", async () => {
  const shop = await liveShop(app);
  const row = await start(shop);
  const { done, spending } = await spendingInParallel(shop, "traffic_counts", () =>
    checkCode(ctx, shop, { id: row.id, code: codeOf(ctx.masterKeys, row) }),
  );
  expect(spending).toHaveLength(2);
  expect(await done).toMatchObject({ status: "approved" });
});

test("nor does a code that is sent again while its message still waits", async () => {
  const shop = await liveShop(app);
  const { id } = await start(shop);
  const { done, spending } = await spendingInParallel(shop, "usage_counters", () => resendCode(ctx, shop, { id, channel: null }));
  expect(spending).toHaveLength(2);
  expect(await done).toMatchObject({ status: "pending", sends_left: 1 });
});
