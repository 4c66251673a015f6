import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { anchorAudit, chainAudit } from "#audit/index.ts";
import { newId } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { bookTransfers } from "#test/support/payments/book-transfers.ts";
import { readSettings } from "../config.ts";
import { anchorFile } from "../runtime/index.ts";
import { auditAuditLog, auditMoney } from "./audits.ts";
import { checkDatabase, type Finding } from "./checks.ts";
import { checkLimits } from "./limit-checks.ts";

const app = await testApp();
const { ctx } = app;
const folder = await mkdtemp(join(tmpdir(), "tillpost-counts-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const textOf = (findings: readonly Finding[]) => findings.map(({ message }) => message).join("\n");

test("the doctor uses the singular for one of something", async () => {
  const shop = await app.tenant();
  const transfer = {
    kind: "order_payment",
    debit: "custody",
    credit: "sales",
    currency: "CNY",
    gateway: "wechatpay",
    created_by: "test",
  } as const;
  await ctx.transact((tx) =>
    bookTransfers(tx, shop, [
      { ...transfer, id: newId("txn"), source: "one", amount_minor: 1000, order_id: null, reference: null, now: ctx.now() },
    ]),
  );
  expect(textOf(await auditMoney(ctx))).toContain("(1 transfer of 1 tenant)");

  while ((await chainAudit(ctx)) > 0);
  expect(await anchorAudit(ctx, anchorFile(folder))).toBe(true);
  const log = textOf(await auditAuditLog(ctx, anchorFile(folder)));
  expect(log).toMatch(/\(\d+ rows? of 1 merchant\)/);
  expect(log).toContain("(1 day, the newest ");

  expect(textOf(await checkLimits(readSettings({ LIMITS_STORE: "postgres", LIMITS_NODES: "1" }), app.url))).toBe(
    "postgres responds; 1 process uses it",
  );

  await onServer(app.superuserUrl, (admin) =>
    admin.query("delete from schema_migrations where number = (select max(number) from schema_migrations)"),
  );
  expect(textOf(await checkDatabase(ctx))).toContain("1 migration not applied yet");
});
