import { describe, expect, it } from "vitest";
import { auditChain } from "#audit/index.ts";
import { findSealedBy, notice, open, readMasterKeys, seal } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { seeded } from "#test/support/race/race.ts";
import { eventually, turns } from "#test/support/time/eventually.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { lockEndpoint } from "#webhooks/endpoint/sql.ts";
import { rollSecret } from "#webhooks/index.ts";
import { confirmMasterKeys, findKeyFaults } from "./confirm-master-keys.ts";
import { silenceMs } from "./follow-master-keys.ts";
import { revokeMasterKey } from "./revoke-master-key.ts";
import { type Rotated, type Rotation, rotateMasterKeys } from "./rotate-master-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { deleteHolder, insertHolder, insertMasterKey, listDerivedKeys } from "./sql.ts";

/** Counts the statements of a rotation and ends it before the chosen one, as a crash would. */
const crash = { armed: false, at: 0, seen: 0 };
class Crash extends Error {}
const isStatement = /^\s*(--.*\n\s*)*(select|insert|update|delete|with|set)\b/;
const app = await testApp({
  probe(text) {
    if (!crash.armed || !isStatement.test(text)) return;
    crash.seen += 1;
    if (crash.seen >= crash.at) throw new Crash();
  },
});
const { ctx } = app;
const keyOf = (number: number) => `${number}:${number.toString(16).padStart(4, "0").repeat(16)}`;
let newest = 1;

/** A process that has these keys, and takes from the database which of them is current. */
async function processWith(...numbers: number[]) {
  const own = { ...ctx, masterKeys: readMasterKeys(numbers.map(keyOf).join()) };
  await confirmMasterKeys(own);
  return own;
}

function rotation(given: Partial<Rotation> = {}): Rotation {
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    if (pauses > 1_000) throw new Error("waits without end");
    await turns();
  };
  return { say: () => {}, pause, ...given };
}

/** The next key, in a process that also has the previous one. */
async function nextKey() {
  newest += 1;
  return { number: newest, before: await processWith(newest - 1), process: await processWith(newest - 1, newest) };
}

Object.assign(ctx.masterKeys, (await processWith(1)).masterKeys);
const shop = await app.tenant();
const endpoint = await endpointAt(ctx, shop, "https://shop.example/hook");
for (let n = 0; n < 30; n += 1)
  await ctx.transact((tx) => notice(tx, ctx, { kind: "guards", recipient: `${n}@corner.books`, params: { n } }));

/** Everything sealed opens with only this key, and the endpoint's secret is unchanged. */
async function expectOpen(number: number, secret = endpoint.secret): Promise<void> {
  const alone = await processWith(number);
  expect(await findKeyFaults(alone)).toEqual([]);
  for (const column of sealedColumns) expect(await findSealedBy(ctx.db, column, number - 1), column.name).toBeNull();
  expect(await secretWith(alone.masterKeys)).toBe(secret);
}

async function secretWith(keys: Parameters<typeof open>[0]): Promise<string> {
  const [row] = await runStatement<{ secret: string }>(ctx.db, "select secret from webhook_endpoints where id = ?", endpoint.id);
  return open(keys, { table: "webhook_endpoints", column: "secret", row: endpoint.id }, row?.secret ?? "").toString();
}

describe("a running process that lacks the key", () => {
  const other = { id: "p1", name: "worker on web-2 (process 7)", sealing: 1, signing: 1 };

  it("stops a rotation before it changes anything, and is identified", async () => {
    await insertHolder(ctx.db, { ...other, numbers: [1] });
    const { process } = await nextKey();
    await expect(rotateMasterKeys(process, rotation())).rejects.toThrow(
      "Master key 2 isn't in every running process yet, so nothing was changed. Add it to all of them, then rotate again:\n  worker on web-2 (process 7) has 1",
    );
    expect(process.masterKeys.current).toBe(1);
    expect((await processWith(1)).masterKeys.current).toBe(1);
  });

  it("is waited for until it also seals with it; a dead one isn't", async () => {
    const { process } = { process: await processWith(1, 2) };
    await insertHolder(ctx.db, { ...other, numbers: [1, 2] });
    await insertHolder(ctx.db, { ...other, id: "p2", name: "api on web-3 (process 9)", numbers: [2, 1] });
    const lines: string[] = [];
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === 2) await deleteHolder(ctx.db, "p2");
      if (pauses === 4) app.clock.advance(silenceMs + 1);
    };
    expect(await rotateMasterKeys(process, rotation({ pause, say: (line) => void lines.push(line) }))).toMatchObject({
      current: 2,
      removable: [1],
    });
    expect(pauses).toBe(4);
    expect(lines.filter((line) => line.startsWith("Waiting"))).toEqual([
      "Waiting for 2 running processes to encrypt with it too: api on web-3 (process 9), worker on web-2 (process 7)",
      "Waiting for 1 running process to encrypt with it too: worker on web-2 (process 7)",
    ]);
    await expectOpen(2);
    await deleteHolder(ctx.db, "p1");
  });
});

it("what another process still sealed with the old key is resealed before the end", async () => {
  const { number, before, process } = await nextKey();
  let hasSealed = false;
  await insertHolder(ctx.db, { id: "late", name: "late", numbers: [number - 1, number], sealing: number - 1, signing: 1 });
  const pause = async () => {
    await before.transact((tx) => notice(tx, before, { kind: "guards", recipient: "late@corner.books", params: {} }));
    hasSealed = true;
    await deleteHolder(ctx.db, "late");
  };
  await rotateMasterKeys(process, rotation({ pause }));
  expect(hasSealed).toBe(true);
  await expectOpen(number);
});

it("two concurrent rotations reseal each value once, and both end", async () => {
  const { number, process } = await nextKey();
  const otherProcess = await processWith(number - 1, number);
  const total = await countOf(number - 1);
  const results = await Promise.all([rotateMasterKeys(process, rotation()), rotateMasterKeys(otherProcess, rotation())]);
  expect(results.map(({ current }) => current)).toEqual([number, number]);
  // Keys stored in this rotation are sealed with the new key from the start.
  expect(results[0].done + results[1].done).toBe(total);
  await expectOpen(number);
});

it("a rotation yields to one to a newer key", async () => {
  const [middle, last] = [newest + 1, newest + 2];
  newest = last;
  const process = await processWith(middle - 1, middle);
  const ahead = await processWith(middle - 1, middle, last);
  let done: Promise<Rotated> | undefined;
  const say = () => void (done ??= rotateMasterKeys(ahead, rotation()));
  const slow = rotateMasterKeys(
    { ...process, transact: async (work) => (done === undefined ? ctx.transact(work) : done.then(() => ctx.transact(work))) },
    rotation({ say }),
  );
  await expect(slow).rejects.toThrow(`Another rotation has since made master key ${last} current.`);
  await done;
  // The next run finds what the first one wrote after it was overtaken.
  await rotateMasterKeys(ahead, rotation());
  await expectOpen(last);
});

it("a locked row isn't waited for, and is done once it is free", async () => {
  const { number, process } = await nextKey();
  const freed = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = ctx.transact(async (tx) => {
    await lockEndpoint(tx, shop, endpoint.id);
    held.resolve();
    await freed.promise;
  });
  await held.promise;
  let pauses = 0;
  const free = () => {
    freed.resolve();
    return holding;
  };
  const pause = () => {
    pauses += 1;
    return free();
  };
  await rotateMasterKeys(process, rotation({ pause })).finally(free);
  expect(pauses).toBe(1);
  await expectOpen(number);
});

it("a value that doesn't open remains as it is, is reported, and its key isn't called removable", async () => {
  const { number, process } = await nextKey();
  const broken = `v1.${number - 1}.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAA`;
  const [row] = await runStatement<{ id: string; params: string }>(ctx.db, "select id, params from notices where kind = 'guards' limit 1");
  await runStatement(ctx.db, "update notices set params = ? where id = ?", broken, row?.id);
  expect(await rotateMasterKeys(process, rotation())).toMatchObject({ closed: [`notices.params of ${row?.id}`], removable: [] });
  await runStatement(
    ctx.db,
    "update notices set params = ? where id = ? and params = ?",
    seal(process.masterKeys, placeOf(row?.id ?? ""), "{}"),
    row?.id,
    broken,
  );
  expect(await rotateMasterKeys(process, rotation())).toMatchObject({ closed: [], removable: [number - 1] });
  await expectOpen(number);
});

const placeOf = (row: string) => ({ table: "notices", column: "params", row });

it("a secret that is rolled during a rotation retains its new value", async () => {
  const { number, process } = await nextKey();
  let rolled: string | null = null;
  const say = (line: string) => {
    if (!line.startsWith("  ") || rolled !== null) return;
    rolled = "";
    void rollSecret(process, shop, { id: endpoint.id, expire_old_now: true }).then(({ secret }) => (rolled = secret));
  };
  await rotateMasterKeys(process, rotation({ say }));
  await eventually("the roll has ended", () => rolled !== null && rolled !== "");
  await expectOpen(number, String(rolled));
  endpoint.secret = String(rolled);
});

describe("interrupted at any moment", () => {
  // Other moments in each run. Pass the seed that a run printed to repeat that run.
  const seed = Math.floor(Math.random() * 1_000_000);
  console.info(`interruptions of master keys are drawn by ${seed}`);
  const draw = seeded(seed);

  it("the next run finishes a rotation, and no value is lost", async () => {
    const clean = await nextKey();
    Object.assign(crash, { armed: true, at: Number.POSITIVE_INFINITY, seen: 0 });
    await rotateMasterKeys(clean.process, rotation()).finally(() => (crash.armed = false));
    const statements = crash.seen;
    expect(statements).toBeGreaterThan(40);
    for (let part = 0; part < 4; part += 1) {
      const { number, process } = await nextKey();
      // Not the very end, because a rotation of a few rows less doesn't get there.
      const at = 1 + Math.floor(((part + 0.85 * draw()) * statements) / 4);
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
  });

  it("the next run finishes a revocation, and no row of the audit log is left out", async () => {
    const revoke = async (number: number, at: number) => {
      const process = await processWith(newest);
      Object.assign(crash, { armed: true, at, seen: 0 });
      await revokeMasterKey(process, number, rotation()).finally(() => (crash.armed = false));
    };
    // The first one also creates the audit log's key and chain.
    for (const number of [1, 2]) await revoke(number, Number.POSITIVE_INFINITY);
    const statements = crash.seen;
    expect(statements).toBeGreaterThan(30);
    for (let part = 0; part < 3; part += 1) {
      const [number, at] = [3 + part, 1 + Math.floor(((part + 0.6 * draw()) * statements) / 3)];
      const cut = await revoke(number, at).catch((error: unknown) => error);
      expect(cut, `statement ${at} of ${statements}`).toBeInstanceOf(Crash);
      await revoke(number, Number.POSITIVE_INFINITY);
      expect((await listDerivedKeys(ctx.db)).filter((key) => key.number <= number)).toEqual([]);
      expect((await auditChain(await processWith(newest))).faults).toEqual([]);
    }
    await expectOpen(newest);
  });
});

it("another key with a known number is refused", async () => {
  await insertMasterKey(ctx.db, { number: 900, fingerprint: "another", now: ctx.now() });
  await expect(processWith(newest, 900)).rejects.toThrow("Master key 900 isn't the one for this database");
});

async function countOf(number: number): Promise<number> {
  let count = 0;
  for (const column of sealedColumns.filter(({ marks }) => marks[0] === "v1.")) {
    const [table = "", name = ""] = column.name.split(".");
    const [row] = await runStatement<{ count: number }>(
      ctx.db,
      `select count(*)::int as count from ${table} where ${name} like 'v1.${number}.%'`,
    );
    count += row?.count ?? 0;
  }
  return count;
}
