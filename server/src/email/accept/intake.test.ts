import { describe } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { intakeContract } from "#test/support/queues/intake-contract.ts";
import { createEmail } from "./create-email.ts";
import { createEmailBatch } from "./create-email-batch.ts";

const app = await testApp();
const storedIn =
  (table: "emails" | "batches") =>
  async ({ project_id }: { project_id: string }) =>
    (await runStatement<{ id: string }>(app.ctx.db, `select id from ${table} where project_id = ?`, project_id)).map(({ id }) => id);
/** JSON may hold it, and jsonb may not. */
const poisoned = { metadata: { note: "\0" } };

describe("one email", () => {
  intakeContract({
    app,
    path: "/v1/emails",
    isGrouped: true,
    take: async (ctx, tenant, name) => (await createEmail(ctx, tenant, { tier: "pro", email: newEmail({ subject: name }) })).email.id,
    takePoison: async (ctx, tenant) => (await createEmail(ctx, tenant, { tier: "pro", email: newEmail(poisoned) })).email.id,
    stored: storedIn("emails"),
  });
});

describe("a batch", () => {
  intakeContract({
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
    stored: storedIn("batches"),
  });
});
