import { afterAll, expect, test } from "vitest";
import { migrate } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { countOpenRecipients, listMailTraces } from "#test/support/load/mail-kill.sql.ts";
import { faultsOfLoad, type ShopLoad, startShopLoad } from "#test/support/load/shop-load.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { countWaiting } from "#test/support/webhooks/webhooks.sql.ts";
import { failoverWorld } from "./failover-world.ts";
import { startPair } from "./streaming-pair.ts";

const pair = await startPair();
afterAll(() => pair.stop());
await migrate(pair.primaryUrl(), new URL("../../../migrations/", import.meta.url));
const app = await testApp({ own: { url: pair.url, drop: async () => {} }, egress: await localEgress() });
// The programs use the machine's clock.
app.clock.run();
const world = await failoverWorld(app);
afterAll(() => world.close());
const ordersEach = 150;

test("a standby is promoted under load, twice: nothing acknowledged is lost, nothing is duplicated, and no request gets 500", {
  timeout: 1_200_000,
}, async () => {
  const load = startShopLoad({
    ports: world.ports,
    project_id: world.shop.project_id,
    key: world.shop.key,
    mailKey: world.live.key,
    cancels: true,
  });
  try {
    await failOver(load);
    await load.stop();
  } finally {
    load.halt();
  }
  await eventually("every delivery was taken", async () => (await countWaiting(app.ctx.db, [world.endpoint])) === 0, { everyMs: 100 });
  await eventually("every mail has left", async () => (await countOpenRecipients(app.ctx.db, world.live)) === 0, { everyMs: 100 });
  const { acknowledged, paid, canceled, mails, unavailable } = load;
  console.info(
    `failover: ${acknowledged.size} orders, ${paid.size} paid, ${canceled.size} canceled, ${mails.length} mails, ${unavailable} times 503, ${world.peer.mails.length} mails came`,
  );
  expect(load.unexpectedAnswers).toEqual([]);
  expect(unavailable).toBeGreaterThan(0);
  expect(await faultsOfLoad(app.ctx.db, world.shop, load)).toEqual([]);
  expect(undelivered(load)).toEqual([]);
  expect([...world.idsOf].filter(([, ids]) => ids.size > 1)).toEqual([]);
  expect(await faultsOfMail(load)).toEqual([]);
  const doctor = await world.run("doctor", "--ledger", "--audit");
  // The DNS records of the sender's domain don't exist.
  expect(doctor.output.split("\n").filter((line) => line.startsWith("FAULT") && !line.startsWith("FAULT  mail"))).toEqual([]);
  expect(doctor.output).toContain("every balance is the sum of its transfers");
  expect(doctor.output).toContain("every audit row is chained to the one before");
  world.worker.kill("SIGTERM");
  expect((await world.worker.ended).code).toBe(0);
});

/** The primary dies first; later one is cut off and keeps running. It gets no writes afterwards. */
async function failOver(load: ShopLoad): Promise<void> {
  await load.more(ordersEach);
  await pair.killPrimary();
  await pair.promote();
  await load.more(ordersEach);
  await pair.reviveOther();
  await isLeftAlone(load);
  await pair.rebuildOther();
  await load.more(ordersEach);
  await pair.cutOffPrimary();
  await pair.promote();
  await load.more(ordersEach);
  await isLeftAlone(load);
}

/** A former primary accepts writes from anyone, but the product sends it none. */
async function isLeftAlone(load: ShopLoad): Promise<void> {
  await onServer(pair.otherUrl(), async (old) => {
    await old.query("set synchronous_commit = local");
    await old.query("create table taken_by_hand (id int)");
    const rows = async () =>
      (await old.query("select (select count(*) from orders) as orders, (select count(*) from events) as events")).rows;
    const before = await rows();
    await load.more(ordersEach);
    expect(await rows()).toEqual(before);
    const sessions = await old.query(
      "select application_name, state, wait_event from pg_stat_activity where application_name like 'tillpost%'",
    );
    expect(sessions.rows.filter(({ wait_event }) => wait_event !== "SyncRep")).toEqual([]);
  });
}

/** Acknowledged orders that the shop's receiver wasn't notified of. */
function undelivered({ acknowledged, paid }: ShopLoad): string[] {
  const owed = [...[...acknowledged.values()].map((id) => `order.created of ${id}`), ...[...paid].map((id) => `order.paid of ${id}`)];
  return owed.filter((key) => !world.idsOf.has(key));
}

/** Each accepted message exists once and was sent; a recipient who gets it twice gets one Message-ID. */
async function faultsOfMail({ mails }: ShopLoad): Promise<string[]> {
  const traces = await listMailTraces(app.ctx.db, world.live);
  const delivered = new Set(world.peer.mails.map(({ raw }) => /^Message-ID: (<[^>]+>)/im.exec(raw.toString())?.[1]));
  const accepted = new Set(mails);
  const faults = traces.flatMap(({ id, status, message_id, told, error }) => {
    const isRight =
      accepted.delete(id) && status === "sent" && delivered.delete(message_id) && told.filter((name) => name === "sent").length === 1;
    return isRight ? [] : [`${id} is ${status} and was reported as ${told.join(", ")}: ${JSON.stringify(error)}`];
  });
  return [
    ...faults,
    ...[...accepted].map((id) => `${id} was accepted and is not there`),
    ...[...delivered].map((id) => `${id} came and is no message`),
  ];
}
