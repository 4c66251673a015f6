import { createSms, createSmsBatch, type SmsInput } from "#sms/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import type { IntakeUnderTest } from "./intake-contract.ts";

const storedIn =
  (app: TestApp, table: "sms" | "batches"): IntakeUnderTest["stored"] =>
  async ({ project_id }) =>
    (await runStatement<{ id: string }>(app.ctx.db, `select id from ${table} where project_id = ?`, project_id)).map(({ id }) => id);
const newSms = (given: Partial<SmsInput> = {}): SmsInput => ({ to: "+15005551000", body: "Your order is on its way.", ...given });
/** JSON may hold it, and jsonb may not. */
const poisoned = { metadata: { note: "\0" } };

/** Requests for one SMS. */
export const smsIntake = (app: TestApp): IntakeUnderTest => ({
  app,
  path: "/v1/sms",
  isGrouped: true,
  take: async (ctx, tenant, name) => (await createSms(ctx, tenant, { tier: "pro", sms: newSms({ body: name }) })).id,
  takePoison: async (ctx, tenant) => (await createSms(ctx, tenant, { tier: "pro", sms: newSms(poisoned) })).id,
  stored: storedIn(app, "sms"),
});

/** Requests for a batch of two SMS. */
export const smsBatchIntake = (app: TestApp): IntakeUnderTest => ({
  app,
  path: "/v1/sms/batch",
  isGrouped: false,
  take: async (ctx, tenant, name) =>
    (
      await createSmsBatch(ctx, tenant, {
        tier: "pro",
        items: [newSms({ body: name }), newSms({ body: `${name} too` })],
        strict: true,
      })
    ).id,
  takePoison: async (ctx, tenant) =>
    (await createSmsBatch(ctx, tenant, { tier: "pro", items: [newSms(), newSms(poisoned)], strict: true })).id,
  stored: storedIn(app, "batches"),
});
