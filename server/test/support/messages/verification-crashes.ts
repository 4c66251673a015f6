import { expect, test } from "vitest";
import { type Claim, type Ctx, narrow, type Tenant } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { processVerifications } from "#verifications/due/process-verifications.ts";
import { cancelVerification, checkCode, resendCode, startVerification, type VerificationRow } from "#verifications/index.ts";
import { codeFor, testCode } from "./verifications.ts";

/** Counts the statements of the operation under test, and ends it before the chosen one, as a crash would. */
const crash = { armed: false, at: 0, seen: 0 };
class Crash extends Error {}
const app = await testApp({
  probe(text) {
    if (!crash.armed || !/^\s*(--.*\n\s*)*(select|insert|update|delete|with|set)\b/.test(text)) return;
    crash.seen += 1;
    if (crash.seen === crash.at) throw new Crash();
  },
});
const { ctx, clock } = app;
const tier = "pro" as const;

interface Operation {
  name: string;
  /** Brings about what the operation changes. */
  given(tenant: Tenant): Promise<VerificationRow | null>;
  run(own: Ctx, tenant: Tenant, row: VerificationRow | null): Promise<unknown>;
}

const start = (tenant: Tenant) =>
  startVerification(ctx, tenant, { tier, verification: codeFor({ channels: ["sms", "call"], fallback_after: 30 }) });
const idOf = (row: VerificationRow | null) => row?.id ?? "";
const operations: Operation[] = [
  { name: "begin", given: async () => null, run: (own, tenant) => startVerification(own, tenant, { tier, verification: codeFor() }) },
  { name: "check the right code", given: start, run: (own, tenant, row) => checkCode(own, tenant, { id: idOf(row), code: testCode }) },
  { name: "check a wrong code", given: start, run: (own, tenant, row) => checkCode(own, tenant, { id: idOf(row), code: "000000" }) },
  { name: "send again", given: start, run: (own, tenant, row) => resendCode(own, tenant, { id: idOf(row), channel: null }) },
  { name: "cancel", given: start, run: (own, tenant, row) => cancelVerification(own, tenant, { id: idOf(row) }) },
];

/** All that a tenant has of it, with the messages and events, without ids and times. */
async function stateOf({ project_id }: Tenant): Promise<unknown> {
  const of = (text: string) => runStatement(ctx.db, text, project_id);
  return Promise.all([
    of(
      "select status, checks_left, sends_left, jsonb_array_length(sends) as sends, channel, code_mac is null as over from verifications where project_id = ?",
    ),
    of("select status, sealed_body is null as wiped from sms where project_id = ? order by id"),
    of("select status, sealed_said is null as wiped from calls where project_id = ? order by id"),
    of("select event, count(*)::int as told from events where project_id = ? group by event order by event"),
    of("select used from usage_counters where project_id = ? order by channel"),
    of("select subject, used from verification_windows where project_id = ? order by subject"),
  ]);
}

let claims = 0;
const claimOf = (tenant: Tenant): Claim => {
  claims += 1;
  return {
    ...tenantOf(tenant),
    method: "POST",
    path: "/v1/verifications",
    key: `claim ${claims}`,
    fingerprint: "same",
    replayed: false,
    used: false,
  };
};
const tenantOf = ({ project_id, livemode }: Tenant): Tenant => ({ project_id, livemode });

async function attempt(work: () => Promise<unknown>, at = 0): Promise<{ error: unknown; statements: number }> {
  Object.assign(crash, { armed: true, at, seen: 0 });
  const error = await work().then(
    () => null,
    (fault: unknown) => fault,
  );
  crash.armed = false;
  return { error, statements: crash.seen };
}

interface Chosen {
  first: number;
  stride: number;
}

/** Tests crashes before one in `stride` of each operation's statements, from the `first` on. */
export function testVerificationCrashes(chosen: Chosen): void {
  testOperations(chosen);
  testWorker(chosen);
}

function testOperations({ first, stride }: Chosen): void {
  test.each(operations)(
    "$name: a crash before any of its statements leaves everything as it was, and a retry with the same key has one effect",
    async ({ given, run }) => {
      const clean = await app.tenant();
      const { statements } = await attempt(async () => {
        crash.armed = false;
        const row = await given(clean);
        Object.assign(crash, { armed: true, seen: 0 });
        await run(narrow(ctx, { claim: claimOf(clean) }, app.database), clean, row);
      });
      const wanted = await stateOf(clean);
      expect(statements).toBeGreaterThan(3);
      for (let at = first; at <= statements; at += stride) {
        const shop = await app.tenant();
        const row = await given(shop);
        const before = await stateOf(shop);
        const claim = claimOf(shop);
        const crashed = await attempt(() => run(narrow(ctx, { claim: { ...claim } }, app.database), shop, row), at);
        expect(crashed.error, `statement ${at}`).toBeInstanceOf(Crash);
        expect(await stateOf(shop), `before statement ${at}`).toEqual(before);
        for (let again = 0; again < 2; again += 1) await run(narrow(ctx, { claim: { ...claim } }, app.database), shop, row);
        expect(await stateOf(shop), `after statement ${at}`).toEqual(wanted);
      }
    },
  );
}

function testWorker({ first, stride }: Chosen): void {
  test("a worker that dies while it tries the next channel, or expires one, leaves no trace, and the next one does it once", async () => {
    // Of what the operations above left pending, a portion would be looked at in its place.
    clock.advance(3_600_000);
    while ((await processVerifications(ctx)) > 0);
    const clean = await app.tenant();
    await start(clean);
    clock.advance(30_000);
    const { statements } = await attempt(() => processVerifications(ctx));
    const wanted = await stateOf(clean);
    expect(statements).toBeGreaterThan(10);
    for (let at = first; at <= statements; at += stride) {
      const shop = await app.tenant();
      await start(shop);
      clock.advance(30_000);
      await attempt(() => processVerifications(ctx), at);
      clock.advance(30_000);
      await processVerifications(ctx);
      expect(await stateOf(shop), `statement ${at}`).toEqual(wanted);
      clock.advance(600_000);
      await processVerifications(ctx);
    }
  });
}
