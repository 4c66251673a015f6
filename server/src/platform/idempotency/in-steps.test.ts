import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { type Claim, type Ctx, findReplay, holdClaims, inSteps, narrow } from "../index.ts";

const { ctx, database } = await testApp();

const keyed = (key: string, fingerprint = "f"): Ctx => {
  const named = { project_id: "prj_x", livemode: false, method: "POST", path: "/steps", key };
  const claim: Claim = { ...named, fingerprint, replayed: false, used: false };
  return narrow(ctx, { claim }, database);
};

/** Work that is in progress until it is told how it ends. */
function begin(on: Ctx) {
  const [started, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const done = inSteps(on, () => {
    started.resolve();
    return ends.promise;
  });
  return { started: started.promise, done, succeed: () => ends.resolve("paid"), fail: () => ends.reject(new Error("timed out")) };
}

const reused = expect.objectContaining({ code: "idempotency_key_reused" });

/** The result stays: another body is refused, and the same one gets the result of the first. */
async function expectKept(key: string) {
  await expect(inSteps(keyed(key, "other"), async () => "twice")).rejects.toThrow(reused);
  const again = keyed(key);
  expect(await inSteps(again, async () => "twice")).toBe("paid");
  expect(again.claim?.replayed).toBe(true);
}

test("a repeated request that fails beside the first leaves the first one's key and result alone", async () => {
  const first = begin(keyed("beside"));
  await first.started;
  const second = begin(keyed("beside"));
  await second.started;
  second.fail();
  await expect(second.done).rejects.toThrow("timed out");
  await expect(inSteps(keyed("beside", "other"), async () => "twice")).rejects.toThrow(reused);
  first.succeed();
  expect(await first.done).toBe("paid");
  await expectKept("beside");
});

test.each(["before", "after"] as const)("a first request that fails %s the repeated one succeeds takes no result away", async (when) => {
  const first = begin(keyed(when));
  await first.started;
  const second = begin(keyed(when));
  await second.started;
  for (const one of when === "before" ? [first, second] : [second, first]) {
    if (one === first) one.fail();
    else one.succeed();
    await one.done.catch(() => {});
  }
  await expectKept(when);
});

test("a request that fails alone leaves the key to the next, whatever its body", async () => {
  const first = begin(keyed("alone"));
  await first.started;
  first.fail();
  await expect(first.done).rejects.toThrow("timed out");
  expect(await inSteps(keyed("alone", "other"), async () => "paid")).toBe("paid");
});

test("a key that is only claimed has nothing to replay", async () => {
  const first = begin(keyed("claimed"));
  await first.started;
  const claim = keyed("claimed").claim as Claim;
  expect(await findReplay(database.db, claim)).toBeNull();
  expect(claim.replayed).toBe(false);
  first.succeed();
  await first.done;
  expect(await findReplay(database.db, claim)).toEqual({ result: "paid" });
});

const inUse = { code: "idempotency_key_in_use", status: 409, extras: { headers: { "retry-after": "1" } } };

test("a key that is only claimed is in use for every other kind of work, and has its result afterwards", async () => {
  const first = begin(keyed("in-use"));
  await first.started;
  const alone = keyed("in-use");
  const inGroup = () => ctx.transactUnclaimed((tx) => holdClaims(tx, [keyed("in-use").claim as Claim]));
  await expect(alone.transact(async () => "twice")).rejects.toMatchObject(inUse);
  expect(alone.claim?.replayed).toBe(false);
  expect(await inGroup()).toMatchObject([{ state: "refused", error: inUse }]);
  await expect(keyed("in-use", "other").transact(async () => "twice")).rejects.toThrow(reused);
  first.succeed();
  await first.done;
  expect(await alone.transact(async () => "twice")).toBe("paid");
  expect(alone.claim?.replayed).toBe(true);
  expect(await inGroup()).toEqual([{ state: "replay", result: "paid" }]);
});
