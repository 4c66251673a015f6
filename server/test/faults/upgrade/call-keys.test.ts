import { expect, test } from "vitest";
import { migrate, openDatabase } from "#platform/index.ts";
import { emptyDatabase } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { migrateBefore, migrations } from "#test/support/upgrade/migrate-before.ts";

test("keys that an earlier version kept after a call's texts were deleted are deleted by the upgrade, and no others", async () => {
  const own = await emptyDatabase();
  await migrateBefore(own.url, 142);
  const database = openDatabase({ url: own.url, max: 1 });
  const texts = `'{"text": "Enter your PIN."}'`;
  for (const [id, said, status, state] of [
    ["call_cleared", "null", "completed", "done"],
    ["call_kept", texts, "completed", "done"],
    ["call_secret", "null", "in_progress", "due"],
  ])
    await runStatement(
      database.db,
      `insert into calls (project_id, livemode, id, status, from_number, to_number, country, said, speed, ring_s, limit_s, gathered, digits, expires_at,
        state, due_at, created_at, updated_at) values ('prj_1', true, '${id}', '${status}', '15005550006', '15005552000', 'US', ${said}, 1, 30, 60,
        '{"pin": "1234"}', '1234#', now(), '${state}', now(), now(), now())`,
    );
  await migrate(own.url, migrations);
  expect(await runStatement(database.db, "select id, gathered, digits from calls order by id")).toEqual([
    { id: "call_cleared", gathered: {}, digits: "" },
    { id: "call_kept", gathered: { pin: "1234" }, digits: "1234#" },
    { id: "call_secret", gathered: { pin: "1234" }, digits: "1234#" },
  ]);
  await database.close();
});
