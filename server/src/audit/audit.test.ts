import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { refuseRows } from "#test/support/database/refuse-rows.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { auditChain, chainAudit } from "./index.ts";

const app = await testApp({ asSuperuser: true });
const { ctx, clock } = app;

test("the audit log is chained, and a change, a gap or a cut is detected", async () => {
  await app.tenant();
  while ((await chainAudit(ctx)) > 0);
  expect(await auditChain(ctx)).toMatchObject({ faults: [] });
  await expect(runStatement(ctx.db, "update audit_log set action = 'x'")).rejects.toThrow("append-only");
  await expect(runStatement(ctx.db, "delete from audit_log")).rejects.toThrow("append-only");
  await expect(runStatement(ctx.db, "truncate audit_log")).rejects.toThrow("append-only");
  await runStatement(ctx.db, "alter table audit_log disable trigger all");
  const tampered = async (statement: string) => {
    await runStatement(ctx.db, statement);
    return (await auditChain(ctx)).faults;
  };
  expect(await tampered("update audit_log set actor_id = 'nobody' where position = 2")).not.toEqual([]);
  await runStatement(ctx.db, "update audit_log set actor_id = 'test' where position = 2");
  expect(await tampered("update audit_log set position = 99 where position = 1")).not.toEqual([]);
  await runStatement(ctx.db, "update audit_log set position = 1 where position = 99");
  expect(await auditChain(ctx)).toMatchObject({ faults: [] });
  expect(
    await tampered("delete from audit_log a where position = (select max(position) from audit_log b where b.merchant_id = a.merchant_id)"),
  ).not.toEqual([]);
  await runStatement(ctx.db, "alter table audit_log enable trigger all");
});

test("a row that isn't chained for a minute is a fault", async () => {
  await app.tenant();
  clock.advance(61_000);
  expect((await auditChain(ctx)).faults.join()).toContain("not chained");
});

test("a merchant whose rows can't be chained keeps no other merchant's from being chained", async () => {
  while ((await chainAudit(ctx)) > 0);
  const [odd] = [await app.tenant(), await app.tenant(), await app.tenant()];
  const allow = await refuseRows(app, "audit_chains", { ids: [odd.merchant_id], column: "merchant_id", on: "insert" });
  while ((await chainAudit(ctx)) > 0);
  const waiting = await runStatement<{ merchant_id: string }>(ctx.db, "select distinct merchant_id from audit_log where position is null");
  expect(waiting.map(({ merchant_id }) => merchant_id)).toEqual([odd.merchant_id]);
  await allow();
  await eventually("it is chained as well", async () => (await chainAudit(ctx)) > 0);
});

test("a column that a later version adds makes no row look changed", async () => {
  while ((await chainAudit(ctx)) > 0);
  const { rows, faults } = await auditChain(ctx);
  expect(rows).toBeGreaterThan(0);
  await runStatement(ctx.db, "alter table audit_log add column of_a_later_version text default 'later'");
  expect((await auditChain(ctx)).faults).toEqual(faults);
});
