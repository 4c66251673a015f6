import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { deriveKey, keyPurposes, readMasterKeys, requireSigned, signedQuery } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { testCode, verificationRoom } from "#test/support/messages/verifications.ts";
import { checkCode } from "#verifications/index.ts";
import { checkMasterKeys } from "../doctor/checks.ts";
import { confirmMasterKeys } from "./confirm-master-keys.ts";
import { followMasterKeys } from "./follow-master-keys.ts";
import { listKeysInUse } from "./list-master-keys.ts";
import { rotateMasterKeys } from "./rotate-master-keys.ts";

const { ctx, tenant } = await testApp();
const shop = await tenant();
const rotation = { say: () => {}, pause: () => Promise.reject(new Error("nobody is waited for here")) };
/** Of which the first is the one of all tests. */
const keyOf = (number: number) => `${number}:${(number === 1 ? "a5" : "b6").repeat(32)}`;
const log = pino({ level: "silent" });
type Process = Awaited<ReturnType<typeof processWith>>;

/** A process of this version that starts with these keys. */
async function processWith(...numbers: number[]) {
  const own = { ...ctx, log, masterKeys: readMasterKeys(numbers.map(keyOf).join()) };
  await confirmMasterKeys(own);
  return own;
}

/** Leaves the database as a version did that rotated its keys and didn't know these purposes yet. */
async function forget(): Promise<void> {
  const later = ["recording address", "call line", "verification code", "verification check"];
  for (const purpose of later) await runStatement(ctx.db, "delete from derived_keys where purpose = ?", purpose);
}

let recipients = 0;
/** Starts a verification in a process. */
async function begin(process: Process): Promise<string> {
  recipients += 1;
  return (await verificationRoom(process).start(shop, { to: `+1500555${7_000 + recipients}` })).id;
}
const statusIn = async (process: Process, id: string) => (await checkCode(process, shop, { id, code: testCode })).status;

const recording = { purpose: "recording address", id: "rec_1" } as const;
/** The query of a signed address that a process makes. */
const queryOf = (process: Process) => {
  const query = new URLSearchParams(signedQuery(process, recording));
  return { ...recording, expires: query.get("expires") ?? "", signature: query.get("signature") ?? "" };
};

await processWith(1);
const atFirst = await runStatement(ctx.db, "select number, purpose from derived_keys order by purpose");
await rotateMasterKeys(await processWith(1, 2), rotation);

it("a first start stores every key that it derives, so that a rotation by an older version leaves none out", () =>
  expect(atFirst).toEqual([...keyPurposes].sort().map((purpose) => ({ number: 1, purpose }))));

describe("a purpose that the version which rotated the master keys didn't know", () => {
  it("works without the key that was removed, in each process and after each start", async () => {
    await forget();
    const first = await processWith(2);
    const id = await begin(first);
    const query = queryOf(first);
    expect([first.masterKeys.current, first.masterKeys.signing]).toEqual([2, 1]);
    expect(await requireSigned(await processWith(2), query)).toBeGreaterThan(0);
    expect(await statusIn(await processWith(2), id)).toBe("approved");
    // The removed key was put back.
    expect(await requireSigned(await processWith(1, 2), query)).toBeGreaterThan(0);
    expect(await requireSigned(first, queryOf(await processWith(1, 2)))).toBeGreaterThan(0);
    expect(await checkMasterKeys(first)).toMatchObject([{ state: "fine" }]);
    expect((await listKeysInUse(first)).keys[0]).toMatchObject({ number: 1, signs: true, is_here: false, is_kept: true });
  });

  it("has one key where processes with and without the old key start at the same moment", async () => {
    for (let round = 0; round < 8; round += 1) {
      await forget();
      const started = await Promise.all([processWith(2), processWith(1, 2), processWith(2), processWith(1, 2)]);
      for (const purpose of keyPurposes) {
        const made = started.map(({ masterKeys }) => deriveKey(masterKeys, purpose).toString("hex"));
        expect(new Set(made).size, purpose).toBe(1);
      }
    }
  });

  it("keeps what was begun between the upgrade and the removal of the old key", async () => {
    await forget();
    const upgraded = await processWith(1, 2);
    const id = await begin(upgraded);
    const query = queryOf(upgraded);
    const without = await processWith(2);
    expect(await requireSigned(without, query)).toBeGreaterThan(0);
    expect(await statusIn(without, id)).toBe("approved");
  });

  it("keeps what a running process begins, also if an older version beside it changes the keys", async () => {
    const running = await processWith(1, 2);
    const source = { name: "keys", read: async () => readMasterKeys(keyOf(1)), isStale: () => false, ownFile: null };
    const follower = await followMasterKeys(running, source, "api");
    const id = await begin(running);
    await forget();
    await follower.check();
    await follower.stop();
    expect(await statusIn(await processWith(2), id)).toBe("approved");
  });
});
