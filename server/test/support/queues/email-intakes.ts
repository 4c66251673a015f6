import { createEmail, createEmailBatch } from "#email/index.ts";
import type { TestApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import type { IntakeUnderTest } from "./intake-contract.ts";

const storedIn =
  (app: TestApp, table: "emails" | "batches"): IntakeUnderTest["stored"] =>
  async ({ project_id }) =>
    (await runStatement<{ id: string }>(app.ctx.db, `select id from ${table} where project_id = ?`, project_id)).map(({ id }) => id);
/** JSON may hold it, and jsonb may not. */
const poisoned = { metadata: { note: "\0" } };

/** Requests for one email. */
export const emailIntake = (app: TestApp): IntakeUnderTest => ({
  app,
  path: "/v1/emails",
  isGrouped: true,
  take: async (ctx, tenant, name) => (await createEmail(ctx, tenant, { tier: "pro", email: newEmail({ subject: name }) })).email.id,
  takePoison: async (ctx, tenant) => (await createEmail(ctx, tenant, { tier: "pro", email: newEmail(poisoned) })).email.id,
  stored: storedIn(app, "emails"),
});

/** Requests for a batch of two emails. */
export const batchIntake = (app: TestApp): IntakeUnderTest => ({
  app,
  path: "/v1/emails/batch",
  isGrouped: false,
  take: async (ctx, tenant, name) =>
    (
      await createEmailBatch(ctx, tenant, {
        tier: "pro",
        items: [newEmail({ subject: name }), newEmail({ subject: `${name} too` })],
        strict: true,
      })
    ).id,
  takePoison: async (ctx, tenant) =>
    (await createEmailBatch(ctx, tenant, { tier: "pro", items: [newEmail(), newEmail(poisoned)], strict: true })).id,
  stored: storedIn(app, "batches"),
});
