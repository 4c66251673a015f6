import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import type { GatewayCall } from "#gateways/index.ts";
import { stripe } from "#providers/payment/stripe/adapter.ts";
import { simulatedWorld } from "#test/support/gateways/simulated/simulated-world.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { callbackPath, serveSimulator } from "./serve-simulator.ts";

const { now } = simulatedWorld();
const simulator = await stripe.simulator();
const lines: string[] = [];
const served = await serveSimulator(simulator, { port: 0, now, log: (line) => lines.push(line) });
afterAll(() => served.close());
const fields = await served.world.enter((world) => simulator.openAccount(world, "shop"));
const account = stripe.open(fields, { livemode: false });
const call: GatewayCall = { ...simulatedWorld().call(simulator), baseUrl: served.origin, now, fetch: globalThis.fetch };
const reference = `ps_${"0".repeat(26)}`;

/** The merchant's server. */
const taken: { body: string; signature: string }[] = [];
const shop = createServer(async (request, response) => {
  const chunks = await request.toArray();
  taken.push({ body: Buffer.concat(chunks).toString(), signature: String(request.headers["stripe-signature"]) });
  response.writeHead(200).end();
}).listen(0, "127.0.0.1");
await once(shop, "listening");
afterAll(() => shop.close());

test("a payment is created, paid on the provider's page by a script, and reported to the entered address", async () => {
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/hook`;
  const entered = await fetch(`${served.origin}${callbackPath}`, { method: "POST", body: new URLSearchParams({ url }) });
  expect(entered.status).toBe(200);
  const made = await account.create(call, {
    reference,
    amount: { amount_minor: 2500, currency: "EUR" },
    title: "Two pots of tea",
    notifyUrl: url,
    returnUrl: "http://127.0.0.1/back",
    cancelUrl: "http://127.0.0.1/back",
    expiresAt: new Date(now().getTime() + 3_600_000),
    buyer: { ip: null, locale: "en", device: "desktop", openid: null },
    metadata: {},
  });
  if (made.action.type !== "redirect") throw new Error("Stripe leads to a page");
  const page = await fetch(made.action.url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Two pots of tea")]);
  await fetch(made.action.url, { method: "POST", body: new URLSearchParams({ outcome: "paid" }), redirect: "manual" });
  expect(await account.query(call, { reference, providerId: made.providerId })).toMatchObject({
    state: "succeeded",
    paid: { amount_minor: 2500, currency: "EUR" },
  });
  await eventually("a callback", () => taken.length > 0 && lines.some((line) => line.includes("taken")));
  const [{ body, signature } = { body: "", signature: "" }] = taken;
  const raw = { method: "POST", path: "/hook", headers: { "stripe-signature": signature }, body: Buffer.from(body), receivedAt: now() };
  expect(await account.verify(call, raw)).toMatchObject({ ok: true });
});

test("a request whose caller gave up while it waited in turn is dropped", async () => {
  const entered: string[] = [];
  const counting = { ...simulator, enterCallbackUrl: async (_world: unknown, { url }: { url: string }) => void entered.push(url) };
  const other = await serveSimulator(counting, { port: 0, now, log: () => {} });
  try {
    let release = () => {};
    const held = other.world.enter(() => new Promise<void>((resolve) => (release = resolve)));
    const impatient = await waitInTurn(other.origin, "http://127.0.0.1/gave-up");
    impatient.resetAndDestroy();
    const patient = await waitInTurn(other.origin, "http://127.0.0.1/waited");
    release();
    await held;
    expect(String((await once(patient, "data"))[0])).toContain("200 OK");
    patient.destroy();
    expect(entered).toEqual(["http://127.0.0.1/waited"]);
  } finally {
    await other.close();
  }
});

/** A connection whose request the server has read: it answers the head with 100, and nothing else until its turn. */
async function waitInTurn(origin: string, url: string): Promise<Socket> {
  const body = String(new URLSearchParams({ url }));
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  socket.write(`POST ${callbackPath} HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  expect(String((await once(socket, "data"))[0])).toContain("100 Continue");
  return socket;
}

test.each([
  ["no address", "POST", "account=shop"],
  ["what is no address", "POST", "url=shop"],
])("%s isn't accepted as the callbacks' address", async (_what, method, body) => {
  expect((await fetch(`${served.origin}${callbackPath}`, { method, body: new URLSearchParams(body) })).status).toBe(400);
});
