import { expect, test } from "vitest";
import { eventually } from "#test/eventually.ts";
import { house } from "#test/house.ts";
import { liveShop, openSms, scriptedCarrier } from "#test/sms.ts";
import { runStatement } from "#test/statement.sql.ts";
import { codeOf } from "#verifications/code.ts";
import { checkCode, startVerification } from "#verifications/index.ts";

const home = await house({ sms: openSms([scriptedCarrier()]) });
const { ctx } = home;

test("a right code whose message still waits holds nothing of what messages that are being accepted need next", async () => {
  const shop = await liveShop(home);
  const { project_id } = shop;
  const row = await startVerification(ctx, shop, { tier: "pro", verification: { to: "+14155552671", channels: ["sms"] } });
  const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  const checking = await ctx.transact(async (tx) => {
    await runStatement(tx, "select messages from traffic_counts where project_id = ? for update", project_id);
    const checked = checkCode(ctx, shop, { id: row.id, code: codeOf(ctx.masterKeys, row) });
    await eventually("the check waits", async () => (await home.asSuperuser((db) => runStatement(db, waiting))).length > 0);
    expect(await runStatement(tx, "select used from message_spending where project_id = ? for update nowait", project_id)).toHaveLength(2);
    return { checked };
  });
  expect(await checking.checked).toMatchObject({ status: "approved" });
});
