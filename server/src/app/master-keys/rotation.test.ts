import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { lockChain } from "#audit/chain/chain.sql.ts";
import { recordAnchorsStarted } from "#audit/chain/check-anchors.ts";
import { auditChain, chainAudit, checkAnchorsExist } from "#audit/index.ts";
import { readReturnPath, readTrackToken, readUnsubscribeToken } from "#email/index.ts";
import { listRows } from "#identity/sign-in/library.sql.ts";
import { countSealed, findSealedBy, keyPurposes, notice, ownMerchantId, readMasterKeys, type Tx } from "#platform/index.ts";
import { updateResealed } from "#platform/sealed/sql.ts";
import type { Api } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { pageHeaders, withHeaders } from "#test/support/people/visitors.ts";
import { listColumnsWithSealed } from "#test/support/sealed/sealed.sql.ts";
import { enter, passSecondStep, type SealedWorld, sealSome } from "#test/support/sealed/sealed-world.ts";
import { emitSome, handOf } from "#test/support/webhooks/webhook-world.ts";
import { checkMasterKeys } from "../doctor/checks.ts";
import { confirmMasterKeys, findKeyFaults } from "./confirm-master-keys.ts";
import { type LiveKeys, readKeyState } from "./live-keys.ts";
import { revokeMasterKey } from "./revoke-master-key.ts";
import { rotateMasterKeys } from "./rotate-master-keys.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { deleteHolder, insertHolder } from "./sql.ts";

const app = await testApp({ egress: await localEgress(), http: { signUp: "open", perMinuteUnauthenticated: 10_000 } });
const { ctx } = app;
const [first, second, third] = ["a5", "b6", "c7"].map((byte, index) => `${index + 1}:${byte.repeat(32)}`) as [string, string, string];
const live: LiveKeys = ctx.masterKeys;
const shopsServer = await receiver();
const hand = handOf(ctx);
const lines: string[] = [];
const rotation = { say: (line: string) => void lines.push(line), pause: () => Promise.reject(new Error("nobody is waited for here")) };

/** Simulates a process started with these keys. */
async function startWith(...keys: string[]): Promise<void> {
  live.keys = readMasterKeys(keys.join()).keys;
  live.derived = new Map();
  await confirmMasterKeys(ctx);
}

await confirmMasterKeys(ctx);
const world = await sealSome(app, shopsServer.url);
await recordAnchorsStarted(ctx, { reason: "restored", anchors: null, newest: null, ahead: [] });
while ((await chainAudit(ctx)) > 0);

const missing = "Master key 1 is missing, and secrets in the database are encrypted with it.";

describe("before a rotation", () => {
  it("every kind of sealed value exists, and nothing is sealed elsewhere", async () => {
    const held = [];
    for (const column of sealedColumns) if ((await findSealedBy(ctx.db, column, 1)) !== null) held.push(column.name);
    expect(held).toEqual(sealedColumns.map(({ name }) => name));
    expect(await listColumnsWithSealed(ctx.db)).toEqual(held.sort());
  });

  it("an added key opens and seals nothing", async () => {
    await startWith(first, second);
    expect([live.current, live.signing]).toEqual([1, 1]);
    expect(await checkMasterKeys(ctx)).toMatchObject([{ state: "fine" }]);
  });

  it("the key that seals everything may not be omitted", async () => {
    expect(await findKeyFaults({ db: ctx.db, masterKeys: readMasterKeys(second) })).toEqual([missing]);
  });
});

describe("after a rotation, without the old key", () => {
  it("everything is sealed with the new one", async () => {
    const rotated = await rotateMasterKeys(ctx, rotation);
    expect(rotated).toMatchObject({ current: 2, closed: [], removable: [1] });
    expect(rotated.done).toBeGreaterThan(sealedColumns.length - 4);
    await startWith(second);
    for (const column of sealedColumns) {
      for (const { number } of await countSealed(ctx.db, column)) expect(number, column.name).toBe(column.target(live));
    }
    expect(await findKeyFaults(ctx)).toEqual([]);
    expect(await checkMasterKeys(ctx)).toMatchObject([{ state: "fine" }]);
  });

  it.each(sealedColumns.filter(({ marks }) => marks[0] === "v1.").map((column) => [column.name, column] as const))(
    "%s that is still sealed with the old key is detected",
    async (_name, column) => {
      const now = (await findSealedBy(ctx.db, column, 2)) ?? { row: "", sealed: "" };
      const before = await column.seal(readMasterKeys(first), now.row, await column.open(ctx.masterKeys, now));
      const change = (was: string, becomes: string) => ctx.transact((tx) => updateResealed(tx, column, [{ named: now.row, was, becomes }]));
      expect(await change(now.sealed, before)).toBe(1);
      expect(await findKeyFaults(ctx)).toEqual([missing]);
      expect(await change(before, now.sealed)).toBe(1);
      expect(await findKeyFaults(ctx)).toEqual([]);
    },
  );

  it("reports its progress and records the act", async () => {
    expect(lines[0]).toBe("Master key 2 is current: it encrypts new secrets.");
    expect(lines).toContain("  webhook_endpoints.next_secret: 1 of 1");
    const audits = await runStatement(ctx.db, "select object_id, detail from audit_log where action = 'master_key.rotated'");
    expect(audits).toEqual([{ object_id: "2", detail: { from: 1, to: 2 } }]);
  });

  testGoesOn(() => world);
});

describe("after a second rotation", () => {
  it("the first key's derived keys are sealed with the third", async () => {
    await startWith(second, third);
    expect(await rotateMasterKeys(ctx, rotation)).toMatchObject({ current: 3, closed: [], removable: [2] });
    await startWith(third);
    expect(await findKeyFaults(ctx)).toEqual([]);
    expect([live.current, live.signing]).toEqual([3, 1]);
  });

  testGoesOn(() => world);

  it("there is nothing left to do", async () => {
    expect(await rotateMasterKeys(ctx, rotation)).toEqual({ current: 3, done: 0, closed: [], removable: [], absent: [] });
  });
});

/** Everything that was sealed or signed before still works. */
function testGoesOn(given: () => SealedWorld): void {
  it("no one is signed out", async () => {
    const { owner } = given();
    expect((await owner.api.get("/api/profile/me")).body).toMatchObject({ email: owner.email });
  });

  it("codes of authenticators, recovery codes and trusted browsers remain valid", async () => {
    const { person, totp_uri, recovery_codes, trusted } = given().guarded;
    const entered = await enter(app, person.email, trusted);
    expect(entered.needsSecondStep).toBe(false);
    // A trusted browser gets a new cookie each time.
    given().guarded.trusted = entered.cookies;
    expect(await passSecondStep(app, person.email, (code) => ({ path: "totp", code: code(totp_uri) }))).toContain("session_token");
    const recovery = recovery_codes[live.current] ?? "";
    expect(await passSecondStep(app, person.email, () => ({ path: "recovery-code", code: recovery }))).toContain("session_token");
  });

  it("links in sent emails, return addresses and addresses of pictures remain valid", async () => {
    const { links, return_path, recipient_id, shop, asset } = given();
    expect(readUnsubscribeToken(ctx, links.unsubscribe)).toMatchObject({
      address: "ada@lovelace.dev",
      tenant: { project_id: shop.project_id },
    });
    expect(readTrackToken(ctx, "open", links.open)).toMatchObject({ recipient_id });
    expect(readTrackToken(ctx, "click", links.click)).toMatchObject({ url: "https://corner.example/" });
    expect(readReturnPath(ctx.masterKeys, return_path)).toBe(recipient_id);
    const address = new URL(asset.url);
    expect((await app.api(null).get(`${address.pathname}${address.search}`)).status).toBe(200);
  });

  it("deliveries are signed with every earlier secret", async () => {
    const { endpoint, shop } = given();
    shopsServer.received.length = 0;
    await emitSome(ctx, shop);
    await hand.deliver();
    const [one] = shopsServer.received;
    const signature = createHmac("sha256", endpoint.secrets[0] ?? "");
    expect(one?.headers["x-service-signature"]).toBe(signature.update(one?.body ?? "").digest("hex"));
    expect(String(one?.headers["webhook-signature"]).split(" ")).toHaveLength(3);
  });

  it("the audit log's chains are valid, and grow", async () => {
    while ((await chainAudit(ctx)) > 0);
    expect((await auditChain(ctx)).faults).toEqual([]);
    const [left] = await runStatement<{ count: number }>(ctx.db, "select count(*)::int as count from audit_log where position is null");
    expect(left?.count).toBe(0);
  });
}

describe("a leaked key", () => {
  const revoke = (number: number) => revokeMasterKey(ctx, number, rotation);

  it.each([
    [3, "Master key 3 is current. Add another and rotate first."],
    [4, "There is no master key 4."],
  ])("%i is not revoked: %s", async (number, why) => {
    await expect(revoke(number)).rejects.toThrow(why);
  });

  it("isn't revoked before an earlier one, whose derived keys sign and were stored sealed with it", async () => {
    await expect(revoke(2)).rejects.toThrow("Revoke master key 1 first");
    expect(live.signing).toBe(1);
  });

  it("isn't revoked while a process has it or anything is sealed with it", async () => {
    await insertHolder(ctx.db, { id: "p1", name: "worker on web-2 (process 7)", numbers: [1, 3], sealing: 3, signing: 1 });
    await expect(revoke(1)).rejects.toThrow("restart the processes that still have it: worker on web-2 (process 7).");
    await deleteHolder(ctx.db, "p1");
    await startWith(first, third);
    await expect(revoke(1)).rejects.toThrow("restart the processes that still have it: this command.");
    await ctx.transact((tx) =>
      notice(tx, { ...ctx, masterKeys: readMasterKeys(first) }, { kind: "late", recipient: "a@corner.books", params: {} }),
    );
    await expect(revoke(1)).rejects.toThrow("Master key 1 still encrypts 1 value. Rotate first.\nRemove master key 1 first");
    expect(await checkMasterKeys(ctx)).toMatchObject([
      { state: "fine" },
      { state: "note", message: "secrets are still encrypted with master key 1, but 3 is current" },
    ]);
    await rotateMasterKeys(ctx, rotation);
    await startWith(third);
  });
});

/** Keeps what `lock` locks until it's freed. */
async function hold(lock: (tx: Tx) => Promise<unknown>): Promise<{ free(): Promise<void> }> {
  const [held, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = ctx.transact(async (tx) => {
    await lock(tx);
    held.resolve();
    await freed.promise;
  });
  await held.promise;
  return {
    free() {
      freed.resolve();
      return done;
    },
  };
}

it("a link that confirms an address still works, and the sign-in library still knows an earlier session", async () => {
  const page = withHeaders(app, pageHeaders());
  expect((await page.post("/api/auth/verify-email", { token: world.links.confirm })).status).toBe(200);
  expect((await world.owner.api.post("/api/auth/sign-out", {})).status).toBe(200);
  expect((await world.owner.api.get("/api/profile/me")).status).toBe(401);
});

describe("once a key is revoked", () => {
  let session: Api | undefined;

  it("everything else still works: codes are valid, the audit log is valid, and what must be replaced is listed", async () => {
    session = withHeaders(app, pageHeaders((await enter(app, world.owner.email)).cookies));
    expect((await session.get("/api/profile/me")).status).toBe(200);
    const chain = await hold((tx) => lockChain(tx, ownMerchantId));
    const codes = await hold((tx) => listRows(tx, "twoFactor", { where: [], limit: 10, offset: 0, sort: null }));
    const waits: string[] = [];
    const pause = async () => {
      waits.push(waits.length === 0 ? "chain" : "codes");
      await (waits.length === 1 ? chain : codes).free();
    };
    const exposed = await revokeMasterKey(ctx, 1, { ...rotation, pause }).finally(() => Promise.all([chain.free(), codes.free()]));
    expect(waits).toEqual(["chain", "codes"]);
    expect(exposed.map(({ column, count }) => [column, count])).toEqual(
      sealedColumns.filter(({ exposes }) => exposes !== null).map(({ name }) => [name, 1]),
    );
    expect([live.current, live.signing, [...live.revoked]]).toEqual([3, 2, [1]]);
    const { person, totp_uri, recovery_codes } = world.guarded;
    expect(await passSecondStep(app, person.email, (code) => ({ path: "totp", code: code(totp_uri) }))).toContain("session_token");
    expect(await passSecondStep(app, person.email, () => ({ path: "recovery-code", code: recovery_codes[4] ?? "" }))).toContain(
      "session_token",
    );
    while ((await chainAudit(ctx)) > 0);
    expect((await auditChain(ctx)).faults).toEqual([]);
    expect(await findKeyFaults(ctx)).toEqual([]);
  });

  it("what a person wrote to the audit log before is still valid there", async () => {
    // The anchors are restarted on that day, so that an anchor of that day is required.
    expect(await checkAnchorsExist(ctx, async () => [])).toEqual([expect.stringMatching(/^the log was anchored from 2026-11-20 to /)]);
  });

  it.each([
    ["nothing counts that was signed under it", [third]],
    ["nor does it where the key comes back", [first, third]],
  ])("%s", async (_what, keys) => {
    await startWith(...keys);
    const { guarded, links, return_path, asset } = world;
    expect((await session?.get("/api/profile/me"))?.status).toBe(401);
    expect((await enter(app, guarded.person.email, guarded.trusted)).needsSecondStep).toBe(true);
    expect(readUnsubscribeToken(ctx, links.unsubscribe)).toBeNull();
    expect(readTrackToken(ctx, "click", links.click)).toBeNull();
    expect(readReturnPath(ctx.masterKeys, return_path)).toBeNull();
    const address = new URL(asset.url);
    expect((await app.api(null).get(`${address.pathname}${address.search}`)).status).toBe(403);
    expect([live.current, live.signing]).toEqual([3, 2]);
    await startWith(third);
  });

  it("the next key can be revoked as well, and revoking twice is harmless", async () => {
    await revokeMasterKey(ctx, 2, rotation);
    await revokeMasterKey(ctx, 2, rotation);
    expect([live.signing, live.derived.size]).toEqual([3, keyPurposes.length]);
    expect((await readKeyState(ctx.db)).derived.every(({ number }) => number === 3)).toBe(true);
    const audits = await runStatement(ctx.db, "select object_id from audit_log where action = 'master_key.revoked' order by id");
    expect(audits).toEqual([{ object_id: "1" }, { object_id: "2" }]);
    await startWith(third);
    expect(
      await passSecondStep(app, world.guarded.person.email, (code) => ({ path: "totp", code: code(world.guarded.totp_uri) })),
    ).toContain("session_token");
  });
});
