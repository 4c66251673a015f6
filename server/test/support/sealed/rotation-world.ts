import { describe, expect, it } from "vitest";
import { confirmMasterKeys, findKeyFaults } from "#app/master-keys/confirm-master-keys.ts";
import { revokeMasterKey } from "#app/master-keys/revoke-master-key.ts";
import { type Rotation, rotateMasterKeys } from "#app/master-keys/rotate-master-keys.ts";
import { sealedColumns } from "#app/master-keys/sealed-columns.ts";
import { listDerivedKeys } from "#app/master-keys/sql.ts";
import { auditChain } from "#audit/index.ts";
import { findSealedBy, notice, open, readMasterKeys } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { seeded } from "#test/support/race/race.ts";
import { turns } from "#test/support/time/eventually.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";

class Crash extends Error {}
const isStatement = /^\s*(--.*\n\s*)*(select|insert|update|delete|with|set)\b/;
const keyOf = (number: number) => `${number}:${number.toString(16).padStart(4, "0").repeat(16)}`;

/** How a rotation reports and waits: silently, and never for long. */
export function rotation(given: Partial<Rotation> = {}): Rotation {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    if (pauses > 1_000) throw new Error("waits without end");
    await turns();
  };
  return { say: () => {}, pause, ...given };
}

/** Secrets that the first master key sealed, and as many further keys as the file's tests need. Call it at the top of a file. */
export async function rotationWorld() {
  /** Counts the statements of a rotation and ends it before the chosen one, as a crash would. */
  const crash = { armed: false, at: 0, seen: 0 };
  const app = await testApp({
    probe(text) {
      if (!crash.armed || !isStatement.test(text)) return;
      crash.seen += 1;
      if (crash.seen >= crash.at) throw new Crash();
    },
  });
  const { ctx } = app;
  /** A process that has these keys, and takes from the database which of them is current. */
  const processWith = async (...numbers: number[]) => {
    const own = { ...ctx, masterKeys: readMasterKeys(numbers.map(keyOf).join()) };
    await confirmMasterKeys(own);
    return own;
  };
  Object.assign(ctx.masterKeys, (await processWith(1)).masterKeys);
  const shop = await app.tenant();
  const endpoint = await endpointAt(ctx, shop, "https://shop.example/hook");
  for (let n = 0; n < 30; n += 1)
    await ctx.transact((tx) => notice(tx, ctx, { kind: "guards", recipient: `${n}@corner.books`, params: { n } }));
  const secretWith = async (keys: Parameters<typeof open>[0]) => {
    const [row] = await runStatement<{ secret: string }>(ctx.db, "select secret from webhook_endpoints where id = ?", endpoint.id);
    return open(keys, { table: "webhook_endpoints", column: "secret", row: endpoint.id }, row?.secret ?? "").toString();
  };
  const newest = { number: 1 };
  return {
    ...{ app, crash, shop, endpoint, newest, processWith, secretWith },

    /** The next key, in a process that also has the previous one. */
    async nextKey() {
      newest.number += 1;
      const { number } = newest;
      return { number, before: await processWith(number - 1), process: await processWith(number - 1, number) };
    },

    /** Everything sealed opens with only this key, and the endpoint's secret is unchanged. */
    async expectOpen(number: number, secret = endpoint.secret): Promise<void> {
      const alone = await processWith(number);
      expect(await findKeyFaults(alone)).toEqual([]);
      for (const column of sealedColumns) expect(await findSealedBy(ctx.db, column, number - 1), column.name).toBeNull();
      expect(await secretWith(alone.masterKeys)).toBe(secret);
    },
  };
}

type RotationWorld = Awaited<ReturnType<typeof rotationWorld>>;

/** Tests that the next run finishes what was interrupted: so many rotations and revocations, each in another part of its course. */
export function testInterruptions(world: RotationWorld, parts: { rotations: number; revocations: number }): void {
  describe("interrupted at any moment", () => {
    // Other moments in each run. Pass the seed that a run printed to repeat that run.
    const seed = Math.floor(Math.random() * 1_000_000);
    console.info(`interruptions of master keys are drawn by ${seed}`);
    const draw = seeded(seed);

    it("the next run finishes a rotation, and no value is lost", () => interruptRotations(world, parts.rotations, draw));

    it("the next run finishes a revocation, and no row of the audit log is left out", () =>
      interruptRevocations(world, parts.revocations, draw));
  });
}

async function interruptRotations(world: RotationWorld, parts: number, draw: () => number): Promise<void> {
  const { crash, endpoint, expectOpen, nextKey, processWith, secretWith } = world;
  const clean = await nextKey();
  Object.assign(crash, { armed: true, at: Number.POSITIVE_INFINITY, seen: 0 });
  await rotateMasterKeys(clean.process, rotation()).finally(() => (crash.armed = false));
  const statements = crash.seen;
  expect(statements).toBeGreaterThan(40);
  for (let part = 0; part < parts; part += 1) {
    const { number, process } = await nextKey();
    // Not the very end, because a rotation of a few rows less doesn't get there.
    const at = 1 + Math.floor(((part + 0.85 * draw()) * statements) / parts);
    Object.assign(crash, { armed: true, at, seen: 0 });
    const cut = await rotateMasterKeys(process, rotation()).catch((error: unknown) => error);
    crash.armed = false;
    expect(cut, `statement ${at} of ${statements}`).toBeInstanceOf(Crash);
    // Serving processes have both keys, and can open everything at any moment.
    expect(await findKeyFaults(await processWith(number - 1, number))).toEqual([]);
    expect(await secretWith((await processWith(number - 1, number)).masterKeys)).toBe(endpoint.secret);
    await rotateMasterKeys(await processWith(number - 1, number), rotation());
    await expectOpen(number);
  }
}

async function interruptRevocations(world: RotationWorld, parts: number, draw: () => number): Promise<void> {
  const { app, crash, expectOpen, newest, processWith } = world;
  const { db } = app.ctx;
  const revoke = async (number: number, at: number) => {
    const process = await processWith(newest.number);
    Object.assign(crash, { armed: true, at, seen: 0 });
    await revokeMasterKey(process, number, rotation()).finally(() => (crash.armed = false));
  };
  // The first one also creates the audit log's key and chain.
  for (const number of [1, 2]) await revoke(number, Number.POSITIVE_INFINITY);
  const statements = crash.seen;
  expect(statements).toBeGreaterThan(30);
  for (let part = 0; part < parts; part += 1) {
    const [number, at] = [3 + part, 1 + Math.floor(((part + 0.6 * draw()) * statements) / parts)];
    const cut = await revoke(number, at).catch((error: unknown) => error);
    expect(cut, `statement ${at} of ${statements}`).toBeInstanceOf(Crash);
    await revoke(number, Number.POSITIVE_INFINITY);
    expect((await listDerivedKeys(db)).filter((key) => key.number <= number)).toEqual([]);
    expect((await auditChain(await processWith(newest.number))).faults).toEqual([]);
  }
  await expectOpen(newest.number);
}
