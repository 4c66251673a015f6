import { createHmac } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { auditChain, chainAudit } from "#audit/index.ts";
import { notice, readMasterKeys } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { signIn, visitor } from "#test/support/people/visitors.ts";
import { endpointAt, handOf } from "#test/support/webhooks/webhook-world.ts";
import { checkMasterKeys } from "../doctor/checks.ts";
import { confirmMasterKeys } from "./confirm-master-keys.ts";
import { followMasterKeys } from "./follow-master-keys.ts";
import { openKeySource } from "./key-source.ts";
import { type Rotation, rotateMasterKeys } from "./rotate-master-keys.ts";

/** Of the process that serves. */
const app = await testApp({ egress: await localEgress() });
const { ctx } = app;
const folder = mkdtempSync(join(tmpdir(), "tillpost-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));
const shopsServer = await receiver();
const hand = handOf(ctx);
const [first, second] = ["a5", "b6"].map((byte, index) => `${index + 1}:${byte.repeat(32)}`) as [string, string];
const file = join(folder, "keys");
const handOver = (...keys: string[]) => {
  writeFileSync(`${file}.new`, keys.join("\n"));
  renameSync(`${file}.new`, file);
};
handOver(first);
const settings = { MASTER_KEYS: null, MASTER_KEYS_FILE: file, MASTER_KEYS_COMMAND: null, TILLPOST_DATA_DIR: folder };
const source = openKeySource(settings);
// From now on it is only read again when it changes.
await source.read();
await confirmMasterKeys(ctx);
const follower = await followMasterKeys(ctx, source, "api");
afterAll(() => follower.stop());

const shop = await app.tenant();
const endpoint = await endpointAt(ctx, shop, `${shopsServer.url}/hook`, ["order.created"]);
const person = await visitor(app, { merchant_id: shop.merchant_id });
for (let n = 0; n < 30; n += 1)
  await ctx.transact((tx) => notice(tx, ctx, { kind: "later", recipient: `${n}@corner.books`, params: { n } }));

let rounds = 0;

/** An order and its event, a page and a sign-in; each must succeed as usual. */
async function use(): Promise<void> {
  rounds += 1;
  const order = await app.api(shop.key).post("/api/v1/orders", { amount_minor: 500, currency: "CNY" });
  expect(order.status, order.text).toBe(201);
  expect((await person.api.get("/api/profile/me")).body).toMatchObject({ email: person.email });
  expect(await signIn(app, person.email, `203.0.113.${rounds}`)).not.toBe("");
  await hand.deliver();
  expect(shopsServer.received).toHaveLength(rounds);
}

/** In another process, which has both keys, while this one is used. */
async function rotate(say: Rotation["say"] = () => {}) {
  const other = { ...ctx, masterKeys: readMasterKeys([first, second].join()) };
  await confirmMasterKeys(other);
  const pause = async () => {
    await follower.check();
    await use();
  };
  return await rotateMasterKeys(other, { say, pause });
}

it("orders, webhooks and sign-ins continue during a rotation that is interrupted and repeated, and after the old key is gone", async () => {
  await use();
  handOver(first, second);
  const cut = rotate((line) => {
    if (/notices\.params: \d+ of/.test(line)) throw new Error("cut off");
  });
  await expect(cut).rejects.toThrow("cut off");
  await use();
  expect(await rotate()).toMatchObject({ current: 2, closed: [], removable: [1] });

  handOver(second);
  await follower.check();
  expect([...ctx.masterKeys.keys.keys()]).toEqual([2]);
  await use();
  await follower.stop();
  // As a process that never had the old key.
  Object.assign(ctx.masterKeys, { keys: readMasterKeys(second).keys, derived: new Map() });
  await confirmMasterKeys(ctx);
  await use();

  // Four of them before and after the rotations.
  expect(rounds).toBeGreaterThan(4);
  for (const { body, headers } of shopsServer.received)
    expect(headers["x-service-signature"]).toBe(createHmac("sha256", endpoint.secret).update(body).digest("hex"));
  while ((await chainAudit(ctx)) > 0);
  expect((await auditChain(ctx)).faults).toEqual([]);
  expect(await checkMasterKeys(ctx)).toMatchObject([{ state: "fine" }]);
});
