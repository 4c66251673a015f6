import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { house } from "#test/house.ts";
import { runStatement } from "#test/statement.sql.ts";
import { type Claim, type Ctx, narrow, platformErrors, type Tx } from "../index.ts";

const home = await house();
const { ctx, database } = home;
await runStatement(ctx.db, "create table things (name text primary key)");
await runStatement(ctx.db, "insert into things values ('one')");
const keyed = (key: string): Ctx => {
  const claim: Claim = { project_id: "prj_x", livemode: false, method: "POST", path: "/x", key, fingerprint: "f", replayed: false, used: false };
  return narrow(ctx, { claim }, database);
};
const lockThing = (tx: Tx) => runStatement(tx, "select from things where name = 'one' for update");

test("a long wait for something else than the key is waited out, not taken for the key's use by somebody", async () => {
  const holding = ctx.transact(async (tx) => {
    await lockThing(tx);
    await pause(2_600);
  });
  await pause(100);
  const waiting = keyed("alone").transact(async (tx) => {
    await lockThing(tx);
    return "done";
  });
  expect(await waiting).toBe("done");
  await holding;
});

test("a key that another request is writing is in use after two seconds", async () => {
  const writing = keyed("shared").transact(async () => {
    await pause(2_600);
    return 1;
  });
  await pause(100);
  await expect(keyed("shared").transact(async () => 2)).rejects.toMatchObject({ code: platformErrors.idempotency_key_in_use().code });
  expect(await writing).toBe(1);
});
