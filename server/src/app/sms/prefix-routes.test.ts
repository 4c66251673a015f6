import { afterAll, expect, test } from "vitest";
import { changeMerchant } from "#identity/index.ts";
import { assignNumber } from "#numbers/index.ts";
import { createEgress } from "#platform/index.ts";
import { createSmsIntake, findSms, smsTasks } from "#sms/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { startRawSmsc } from "#test/support/smpp/raw-smsc.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { startTwilio } from "#test/support/twilio/twilio-peer.ts";
import { readSettings } from "../config.ts";
import { listSmsRoutes, openSms } from "./open-sms.ts";

const from = "+14155552670";
const publicUrl = `http://127.0.0.1:${await freePort()}`;
const [smsc, peer] = [await startRawSmsc(), await startTwilio()];
const settings = readSettings({
  PUBLIC_URL: publicUrl,
  SMPP_BINDS: `smpp://acme:s3cr3t@127.0.0.1:${smsc.port}?name=jamaica&countries=1876`,
  SMS_HTTP_URL: peer.setting("name=anywhere"),
});
const routes = listSmsRoutes(settings);
const app = await testApp({
  publicUrl,
  egress: createEgress({ allow: [], publicUrl }),
  sms: { routes },
  http: { tierLimits: ["free.sms=100000", "free.general=100000", "free.reads=100000"] },
});
const { ctx } = app;
const shop = await app.tenant({ livemode: true });
await changeMerchant(ctx, { merchant_id: shop.merchant_id, if_version: null, country: "US" });
await assignNumber(ctx, { project_id: shop.project_id, value: from, channels: ["sms"] });
const transports = await openSms({ ctx, settings, intake: createSmsIntake(ctx) });
const api = app.api(shop.key);

afterAll(async () => {
  await Promise.all(transports.map((transport) => transport.close()));
  await smsc.stop();
  await peer.stop();
});

test("a carrier for a prefix leaves the other numbers of the country to the next carrier", async () => {
  const jamaican = { to: "+18765551234", country: "JM" };
  await eventually("the bind is up", () => transports.some(({ name, share }) => name === "smpp" && share(jamaican) > 0));
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    const { status, body } = await api.post("/v1/sms", { from, to: `+1415555${3000 + n}`, body: "Your order is on its way." });
    expect(status).toBe(201);
    ids.push(body.id);
  }
  const tasks = smsTasks(transports);
  const find = () => Promise.all(ids.map(async (id) => (await findSms(ctx, shop, id)).sms));
  await eventually("none is queued", async () => {
    await tasks.find(({ name }) => name === "send_sms")?.run(ctx);
    return (await find()).every(({ status }) => status !== "queued");
  });
  for (const task of tasks) await task.finish?.(ctx);
  expect((await find()).map(({ status, provider }) => [status, provider])).toEqual(ids.map(() => ["sent", "http:anywhere"]));
  expect([peer.received.length, smsc.submits().length]).toEqual([20, 0]);
});

test("messages to numbers that no carrier's prefix covers are refused, whatever other numbers of the country it covers", async () => {
  routes.splice(0, routes.length, ...routes.filter(({ name }) => name === "smpp"));
  const { status, body } = await api.post("/v1/sms", { from, to: "+14155552671", body: "Your order is on its way." });
  expect([status, body.error?.code]).toEqual([409, "no_route"]);
});
