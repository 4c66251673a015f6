import { expect, it } from "vitest";
import { createEmailBatch, findEmail } from "#email/index.ts";
import { type Ctx, narrow } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { newEmail } from "#test/support/mail/mail.ts";

let statements = 0;
const app = await testApp({ probe: (text) => void (statements += /insert into email_bodies/.test(text) ? 1 : 0) });
const { ctx, database } = app;

it("a batch of large messages shares the thread: no two are written in one turn of it, or sent to the database in one statement", async () => {
  const shop = await app.tenant();
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const turns = new Map<number, number>();
  const id: Ctx["id"] = (prefix) => {
    if (prefix === "em") turns.set(turn, (turns.get(turn) ?? 0) + 1);
    return ctx.id(prefix);
  };
  const html = `<p>${"x".repeat(1_000_000)}</p>`;
  const items = Array.from({ length: 4 }, () => newEmail({ html }));
  const { data } = await createEmailBatch({ ...narrow(ctx, {}, database), id }, shop, { tier: "pro", items, strict: true });
  isOver = true;
  expect([...turns.values()]).toEqual(Array(4).fill(1));
  expect(statements).toBe(4);
  for (const { id } of data) expect((await findEmail(ctx, shop, id)).email.status).toBe("queued");
});
