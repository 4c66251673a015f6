import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { resolverOf } from "#platform/egress/resolve-name.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { localEgress } from "#test/support/network/certificate.ts";
import { type DnsAnswer, type DnsZone, startDnsServer } from "#test/support/network/dns-server.ts";
import { receiver } from "#test/support/network/receiver.ts";
import { emitSome, handOf } from "#test/support/webhooks/webhook-world.ts";
import { changeEndpoint, createEndpoint, listAttempts, retryAttempt, sendTest } from "#webhooks/index.ts";

/** What the name server returns for each name; the public side of this world is 127.0.0.1, everything else is internal. */
const zone = new Map<string, (family: 4 | 6) => ReturnType<DnsZone>>();
const dns = await startDnsServer((name, family) => zone.get(name)?.(family) ?? null);
afterAll(() => dns.close());

const egress = await localEgress({ allow: ["127.0.0.1/32"], resolve: resolverOf(false, [dns.address]) });
const app = await testApp({ egress, startsAt: new Date().toISOString() });
const { ctx } = app;
const hand = handOf(ctx);
const shop = await receiver();
const { port } = new URL(shop.url);

/** Listens where nothing may be sent, on the port that deliveries go to. */
async function canary(host: string): Promise<() => number> {
  let met = 0;
  const server = createServer((socket) => {
    met += 1;
    socket.destroy();
  });
  server.listen(Number(port), host);
  await once(server, "listening");
  afterAll(() => void server.close());
  return () => met;
}
const canaries = await Promise.all(["127.0.0.2", "::1"].map(canary));

const open = { address: "127.0.0.1" };
const inside = { address: "127.0.0.2" };
const both =
  (four: DnsAnswer[], six: DnsAnswer[] = []) =>
  (family: 4 | 6) =>
    family === 4 ? four : six;
let names = 0;
/** A new name with these DNS responses, and a URL on it. */
function urlOf(answers: (family: 4 | 6) => ReturnType<DnsZone>): { name: string; url: string } {
  names += 1;
  const name = `n${names}.receiver.example`;
  zone.set(name, answers);
  return { name, url: `https://${name}:${port}/` };
}

async function lastAttempt(tenant: Parameters<typeof listAttempts>[1], endpoint_id: string) {
  const { rows } = await listAttempts(ctx, tenant, { endpoint_id, limit: 1, status: null, event_id: null });
  const [row] = rows;
  if (row === undefined) throw new Error("nothing was sent");
  return row;
}

test("a name is looked up at each save and connection, and the address that was checked is dialed", async () => {
  const tenant = await app.tenant();
  const { name, url } = urlOf(both([{ alias: "edge.receiver.example" }, open]));
  const { endpoint } = await createEndpoint(ctx, tenant, { url, events: ["*"] });
  expect(dns.queries).toContain(name);
  await emitSome(ctx, tenant);
  await hand.deliver();
  expect(await lastAttempt(tenant, endpoint.id)).toMatchObject({ status: "succeeded", response_status: 200 });
  expect(shop.received.at(-1)?.headers["host"]).toBe(`${name}:${port}`);
});

const hostile: [string, (family: 4 | 6) => ReturnType<DnsZone>][] = [
  ["lies inside", both([inside])],
  ["has an address inside beside a public one", both([open, inside])],
  ["has a public IPv4 address and an IPv6 address inside", both([open], [{ address: "::1" }])],
  ["has an IPv6 address inside alone", both([], [{ address: "::1" }])],
  ["wraps an IPv4 address in IPv6", both([], [{ address: "::ffff:7f00:2" }])],
  ["wraps one for translation", both([], [{ address: "64:ff9b::7f00:2" }])],
  ["stands for another name that lies inside", both([{ alias: "db.inside.example" }, inside])],
  [
    "stands for another name that has both",
    both([{ alias: "db.inside.example" }, open, inside], [{ alias: "db.inside.example" }, { address: "::1" }]),
  ],
];

describe.each(hostile)("a name that %s", (_what, answers) => {
  test("is refused when an endpoint is created or changed, in the same words as every other address", async () => {
    const tenant = await app.tenant();
    const refusal = await createEndpoint(ctx, tenant, { url: "https://10.0.0.1/", events: ["*"] }).catch((error: unknown) => error);
    const { url } = urlOf(answers);
    await expect(createEndpoint(ctx, tenant, { url, events: ["*"] })).rejects.toEqual(refusal);
    const { endpoint } = await createEndpoint(ctx, tenant, { url: urlOf(both([open])).url, events: ["*"] });
    await expect(changeEndpoint(ctx, tenant, { id: endpoint.id, if_version: null, url })).rejects.toEqual(refusal);
  });

  test("gets nothing if it became that after it was saved: by delivery, test or retry", async () => {
    const tenant = await app.tenant();
    const { name, url } = urlOf(both([open]));
    const { endpoint } = await createEndpoint(ctx, tenant, { url, events: ["*"] });
    zone.set(name, answers);
    await emitSome(ctx, tenant);
    await hand.deliver();
    const automatic = await lastAttempt(tenant, endpoint.id);
    const tested = await sendTest(ctx, tenant, { endpoint_id: endpoint.id });
    const retried = await retryAttempt(ctx, tenant, { endpoint_id: endpoint.id, attempt_id: automatic.id });
    for (const attempt of [automatic, tested, retried]) {
      expect(attempt).toMatchObject({
        status: "failed",
        error_code: "egress_blocked",
        response_status: null,
        response_headers: null,
        response_body: null,
      });
    }
    expect(canaries.map((met) => met())).toEqual([0, 0]);
  });
});

test("a name that changes its address at every lookup reaches the public one or nothing", async () => {
  const tenant = await app.tenant();
  let lookups = 0;
  const { name, url } = urlOf(both([open]));
  const { endpoint } = await createEndpoint(ctx, tenant, { url, events: ["*"] });
  zone.set(name, (family) => (family === 6 ? [] : [(lookups += 1) % 2 === 0 ? open : inside]));
  const codes: (string | null)[] = [];
  for (let n = 0; n < 12; n += 1) {
    // A kept-alive connection wouldn't need another lookup.
    shop.server.closeAllConnections();
    const attempt = await sendTest(ctx, tenant, { endpoint_id: endpoint.id });
    codes.push(attempt.status === "succeeded" ? null : attempt.error_code);
  }
  expect(new Set(codes)).toEqual(new Set([null, "egress_blocked"]));
  expect(lookups).toBeGreaterThanOrEqual(12);
  expect(canaries.map((met) => met())).toEqual([0, 0]);
});

test.each<[string, ReturnType<DnsZone>, string]>([
  ["there is no such name any more", null, "dns"],
  ["it has no address any more", [], "dns"],
  ["nobody answers for it", "silence", "timeout|dns"],
])("when %s, the attempt fails and says so", async (_what, answer, code) => {
  const tenant = await app.tenant();
  const { name, url } = urlOf(both([open]));
  const { endpoint } = await createEndpoint(ctx, tenant, { url, events: ["*"] });
  zone.set(name, () => answer);
  const attempt = await sendTest(ctx, tenant, { endpoint_id: endpoint.id });
  expect(attempt.status).toBe("failed");
  expect(code.split("|")).toContain(attempt.error_code);
});
