import { expect, test } from "vitest";
import { listSetAsideJobs, migrate, openDatabase } from "#platform/index.ts";
import { emptyDatabase } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { migrateBefore, migrations } from "#test/support/upgrade/migrate-before.ts";
import { deliveryQueue } from "#webhooks/delivery/sending/claim.sql.ts";

test("deliveries that an earlier version set aside and lost sight of are listed for operators after the upgrade, and no others", async () => {
  const own = await emptyDatabase();
  await migrateBefore(own.url, 143);
  const database = openDatabase({ url: own.url, max: 1 });
  for (const [n, [state, deaths]] of [["set_aside", 0] as const, ["set_aside", 3] as const, ["due", 0] as const].entries())
    await runStatement(
      database.db,
      `insert into webhook_deliveries (project_id, livemode, endpoint_id, event_id, sequence, state, deaths, due_at, created_at, updated_at)
        values ('prj_1', true, 'we_1', 'evt_${n}', ${n}, '${state}', ${deaths}, now() + ${n} * interval '1 hour', now(), now())`,
    );
  await migrate(own.url, migrations);
  expect(await listSetAsideJobs(database, deliveryQueue)).toMatchObject([
    { job: "we_1/evt_0", deaths: 2 },
    { job: "we_1/evt_1", deaths: 3 },
  ]);
  expect(await runStatement(database.db, "select deaths from webhook_deliveries where state = 'due'")).toEqual([{ deaths: 0 }]);
  await database.close();
});
