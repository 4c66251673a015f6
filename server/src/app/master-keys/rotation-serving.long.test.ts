import { createHmac } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { seal } from "#platform/index.ts";
import { insertNotice } from "#platform/notices/sql.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { loadedEnvironment } from "#test/support/app/test-environment.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { certificate, localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { pageHeaders, testPassword, visitor } from "#test/support/people/visitors.ts";
import { type ApiProcess, startApi } from "#test/support/programs/api-processes.ts";
import { type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { listDeliveryStates } from "#test/support/webhooks/webhooks.sql.ts";

const app = await testApp({ egress: await localEgress() });
const { ctx } = app;
app.clock.run();
const folder = temporaryFolder();
const started: Program[] = [];
const shopsServer = await receiver();
const [first, second] = ["a5", "b6"].map((byte, index) => `${index + 1}:${byte.repeat(32)}`) as [string, string];
const file = join(folder.path, "keys");
const handOver = (...keys: string[]) => {
  writeFileSync(`${file}.new`, keys.join("\n"), { mode: 0o600 });
  renameSync(`${file}.new`, file);
};
const env = {
  ...loadedEnvironment(app.url, folder.path),
  ...{ MASTER_KEYS: "", MASTER_KEYS_FILE: file, PUBLIC_URL: ctx.publicUrl, LOG_PRETTY: "off", LOG_LEVEL: "info" },
  ...{
    RATE_LIMIT_UNAUTHENTICATED: "1000000",
    RATE_LIMIT_SIGN_IN: "100000",
    RATE_LIMIT_SIGN_IN_PER_ACCOUNT: "100000",
    RATE_LIMIT_SIGN_IN_PER_ADDRESS: "100000",
  },
};

let api: ApiProcess | undefined;

afterAll(async () => {
  await api?.stop();
  for (const program of started) program.kill("SIGKILL");
  folder.remove();
});

async function run(...command: string[]): Promise<Program> {
  const program = await startProgram({ dataDir: folder.path, command, env });
  started.push(program);
  return program;
}

/** More than one portion, due long after this test. */
async function fillNotices(count: number): Promise<void> {
  await ctx.transact(async (tx) => {
    for (let n = 0; n < count; n += 1) {
      const id = ctx.id("req");
      const params = seal(ctx.masterKeys, { table: "notices", column: "params", row: id }, "{}");
      await insertNotice(tx, { id, kind: "later", recipient: `${n}@corner.books`, params, gather_ms: 86_400_000 });
    }
  });
}

/** Orders and sign-ins, one after the other, until stopped; each must succeed as usual. */
function load(url: string, given: { key: string; email: string; cookie: string }) {
  const faults: string[] = [];
  const counts = { orders: 0, signIns: 0, visits: 0 };
  let isOn = true;
  const call = async (path: string, status: number, init: RequestInit) => {
    const answer = await fetch(`${url}${path}`, init);
    const text = await answer.text();
    if (answer.status !== status) faults.push(`${path} ${answer.status} ${text}`);
  };
  const json = { "content-type": "application/json" };
  const page = (more: Record<string, string> = {}) => ({ ...pageHeaders(undefined, more), ...json });
  const work = async () => {
    while (isOn) {
      await call("/api/v1/orders", 201, {
        method: "POST",
        headers: { ...json, "x-api-key": given.key },
        body: JSON.stringify({ amount_minor: 500, currency: "CNY" }),
      });
      counts.orders += 1;
      await call("/api/profile/me", 200, { headers: page({ cookie: given.cookie }) });
      counts.visits += 1;
      await call("/api/auth/sign-in/email", 200, {
        method: "POST",
        headers: page(),
        body: JSON.stringify({ email: given.email, password: testPassword }),
      });
      counts.signIns += 1;
    }
  };
  const done = Promise.all([work(), work()]);
  const stop = async () => {
    isOn = false;
    await done;
  };
  return { faults, counts, stop };
}

it("orders, webhooks and sign-ins continue during a rotation that is killed and repeated, and after the old key is gone", async () => {
  writeFileSync(join(folder.path, "ca.pem"), (await certificate()).cert);
  handOver(first);
  const shop = await app.tenant();
  const endpoint = await endpointAt(ctx, shop, `${shopsServer.url}/hook`, ["order.created"]);
  const person = await visitor(app, { merchant_id: shop.merchant_id });
  await fillNotices(700);
  api = await startApi(app.url, env);
  await run("worker");
  const who = { key: shop.key, email: person.email, cookie: person.cookie };
  const busy = load(api.url, who);
  await eventually(
    "both processes have told their keys, and the load runs",
    async () => (await heldNumbers()).length === 2 && busy.counts.signIns > 0,
  );

  handOver(first, second);
  await killRotation();
  const again = await runHere({ dataDir: folder.path, command: ["master-keys", "rotate"], env });
  expect(again.output).toContain(`You can remove master key 1 from MASTER_KEYS_FILE (${file}).`);
  expect(again.code).toBe(0);

  handOver(second);
  await eventually("no running process has the old key", async () => (await heldNumbers()).every((numbers) => numbers.join() === "2"));
  const orders = busy.counts.orders;
  await eventually("the load continues", () => busy.counts.orders > orders + 4);
  await busy.stop();
  expect(busy.faults).toEqual([]);

  await api.killAndRestart();
  const later = load(api.url, who);
  await eventually(
    "people and keys of before are known to a process that never had the old key",
    () => later.counts.orders > 2 && later.counts.signIns > 2,
  );
  await later.stop();
  expect(later.faults).toEqual([]);
  const orderCount = busy.counts.orders + later.counts.orders;
  await eventually(
    () => "every event is delivered",
    async () =>
      (await listDeliveryStates(ctx.db, shop)).every(({ state }) => state === "succeeded") && shopsServer.received.length >= orderCount,
  );
  for (const { body, headers } of shopsServer.received)
    expect(headers["x-service-signature"]).toBe(createHmac("sha256", endpoint.secret).update(body).digest("hex"));
  const doctor = await runHere({ dataDir: folder.path, command: ["doctor", "--audit"], env });
  expect(doctor.output).toMatch(/ok {5}secrets +the master keys are those of this database/);
  expect(doctor.output).not.toMatch(/FAULT {2}(secrets|audit)/);
});

/** Kills a rotation that has started to re-seal. */
async function killRotation(): Promise<void> {
  const killed = await run("master-keys", "rotate");
  await eventually(
    () => `it has started to re-seal:\n${killed.output}`,
    () => /notices\.params: \d+ of/.test(killed.output),
  );
  killed.kill("SIGKILL");
  await killed.ended;
}

/** What each process that serves says it has. */
async function heldNumbers(): Promise<number[][]> {
  const serving =
    "select numbers from master_key_holders where name not like 'master-keys%' and seen_at > app_now() - interval '20 seconds'";
  return (await runStatement<{ numbers: number[] }>(ctx.db, serving)).map(({ numbers }) => numbers);
}
