import { describe, expect, it } from "vitest";
import { notice, seal } from "#platform/index.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { rotation, rotationWorld, testInterruptions } from "#test/support/sealed/rotation-world.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { lockEndpoint } from "#webhooks/endpoint/sql.ts";
import { rollSecret } from "#webhooks/index.ts";
import { silenceMs } from "./follow-master-keys.ts";
import { type Rotated, rotateMasterKeys } from "./rotate-master-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { deleteDeadHolders, deleteHolder, insertHolder, insertMasterKey } from "./sql.ts";

const world = await rotationWorld();
const { app, endpoint, expectOpen, newest, nextKey, processWith, shop } = world;
const { ctx } = app;

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

it("a process that was killed while the clock was ahead isn't waited for after the clock was set back", async () => {
  const { number, process } = await nextKey();
  const now = app.clock.now();
  app.clock.advance(10 * 365 * 24 * 3_600_000);
  await insertHolder(ctx.db, { id: "ahead", name: "ahead", numbers: [number - 1], sealing: number - 1, signing: 1 });
  app.clock.set(now);
  await rotateMasterKeys(process, rotation());
  await expectOpen(number);
  await deleteDeadHolders(ctx.db);
  expect(await runStatement(ctx.db, "select from master_key_holders where id = 'ahead'")).toEqual([]);
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
  const [middle, last] = [newest.number + 1, newest.number + 2];
  newest.number = last;
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

testInterruptions(world, { rotations: 1, revocations: 1 });

it("another key with a known number is refused", async () => {
  await insertMasterKey(ctx.db, { number: 900, fingerprint: "another", now: ctx.now() });
  await expect(processWith(newest.number, 900)).rejects.toThrow("Master key 900 isn't the one for this database");
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
