import { describe, expect, it } from "vitest";
import { insertUsage } from "#messaging/quota/sql.ts";
import { claimMany } from "#platform/idempotency/idempotency.ts";
import type { AppError, Claim, Tx } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { keyedRequests } from "#test/support/mail/keyed-requests.ts";
import { newEmail } from "#test/support/mail/mail.ts";
import { createEmail } from "./create-email.ts";

const app = await testApp();
const { ctx, tenant } = app;
const withKey = keyedRequests(app);

describe("a wait for another transaction's row that ends without it", () => {
  /** Runs `work` while another connection holds what it needs; answers what it was refused with, as `status code`. */
  const meanwhile = async (hold: (tx: Tx) => Promise<unknown>, work: () => Promise<unknown>): Promise<string> => {
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const holder = ctx.transact(async (tx) => {
      await hold(tx);
      held();
      await release;
    });
    await isHeld;
    const outcome = await work().then(
      () => "done",
      ({ status, code }: AppError) => `${status} ${code}`,
    );
    resolve();
    await holder;
    return outcome;
  };
  const large = "x".repeat(100_000);

  it.concurrent.each([
    ["a small message", "Hi"],
    ["a large one", large],
  ])("of %s: only its own key causes a key-in-use error", async (_name, text) => {
    const own = await tenant();
    const email = newEmail({ text });
    const create = (key: string) => createEmail(withKey(key, email, own), own, { tier: "pro", email });
    const holdKey = (tx: Tx) => claimMany(tx, [{ claim: withKey("held", email, own).claim as Claim, result: "{}" }]);
    const holdDay = (tx: Tx) => insertUsage(tx, own, { channel: "email", day: "2026-11-20", wanted: 1, limit: 10 });
    const refusals = await Promise.all([meanwhile(holdKey, () => create("held")), meanwhile(holdDay, () => create("free"))]);
    expect(refusals).toEqual(["409 idempotency_key_in_use", "503 service_unavailable"]);
    expect((await create("free")).email.status).toBe("queued");
  });
});
