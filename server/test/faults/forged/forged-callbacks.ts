import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { gateways } from "#app/gateways.ts";
import { listTransactions } from "#ledger/index.ts";
import { findOrderRow } from "#orders/rows/orders.sql.ts";
import { readBooks } from "#test/support/books/books.sql.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { fingerprintDatabase } from "#test/support/database/whole-database.sql.ts";
import { type Forgery, forgeriesOf, type Posted, refusals } from "#test/support/gateways/contract/forgeries.ts";
import { post, type SimulatedShop, simulatedApp, simulatedShop } from "#test/support/gateways/contract/simulated-app.ts";
import { eventually } from "#test/support/time/eventually.ts";

const { app, of } = await simulatedApp();
const { ctx, clock } = app;
const slugs = gateways.map(({ manifest }) => manifest.method.gateway);
const signing = slugs.filter((slug) => of(slug).facts.proof !== null);
/** Anyone who knows a payment's id can trigger a query for it, but nothing more. */
const notSigning = slugs.filter((slug) => !signing.includes(slug));

const orderOf = (shop: SimulatedShop, id: string) => findOrderRow(ctx.db, shop.tenant, id);
const straysOf = (id: string) =>
  runStatement<{ reason: string }>(ctx.db, "select reason from gateway_strays where credential_id = ? order by id", id);
/** Deletes what strangers are allowed to leave behind: a few strays, and entries in the call log for fetched certificates. */
const deleteStrays = async () => {
  await runStatement(ctx.db, "delete from gateway_strays");
  await runStatement(ctx.db, "delete from gateway_attempts where verb = 'verify'");
};
const paymentsOf = async (shop: SimulatedShop) =>
  ((await listTransactions(ctx, shop.tenant, { limit: 20 }))?.data ?? [])
    .filter(({ type }) => type === "payment")
    .map(({ amount_minor }) => amount_minor);
const countOf = async (slug: string) => {
  const counter = (await app.server()).metrics.registry.getSingleMetric("tillpost_gateway_callbacks_total");
  const { values = [] } = (await counter?.get()) ?? {};
  return values
    .filter(({ labels }) => labels["gateway"] === slug && refusals.some((one) => one === labels["outcome"]))
    .reduce((sum, { value }) => sum + value, 0);
};
const bought = async (shop: SimulatedShop) => {
  const started = await shop.started();
  await shop.provider.enter((world) => shop.provider.simulator.simulate(world, { reference: started.session.id, outcome: "paid" }));
  return { ...started, callback: await shop.callbackOf(started.session.id) };
};

interface ForgedCallbacks {
  /** How many times a genuine callback arrives concurrently. */
  copies: number;
  /** Whether the database is compared after each forgery, and not only after all of a gateway's. */
  comparesEach?: boolean;
}

/** Tests callback forgery for every provider through the real route. */
export function testForgedCallbacks({ copies, comparesEach = false }: ForgedCallbacks): void {
  describe.each(signing)("a stranger's callback in the name of %s", (slug) => forgeries(slug, comparesEach));
  describe.each(slugs)("a genuine callback of %s", (slug) => genuine(slug, copies));
  describe.each(notSigning)("unsigned callbacks of %s", (slug) => unsigned(slug));
}

function forgeries(slug: string, comparesEach: boolean): void {
  let shop: SimulatedShop;
  let paid: Awaited<ReturnType<typeof bought>>;
  let all: Forgery[] = [];
  beforeAll(async () => {
    shop = await simulatedShop(app, { provider: of(slug), account: "shop" });
    paid = await bought(shop);
    const { proof, ...facts } = of(slug).facts;
    all = proof === null ? [] : forgeriesOf({ ...facts, proof }, paid.callback);
  });

  test("changes nothing, is refused with a reason, logged, counted, and recorded for a person, whatever is changed in it", () =>
    refusesAll({ slug, shop, paid, all, comparesEach }));

  test("signed for another merchant's account changes nothing", async () => {
    const other = await simulatedShop(app, { provider: of(slug), account: "other" });
    const theirs = await bought(other);
    const before = await readBooks(ctx.db, shop.tenant);
    const misled = await post(app, { ...theirs.callback, url: paid.callback.url });
    expect(misled.status).toBeGreaterThanOrEqual(400);
    expect(await readBooks(ctx.db, shop.tenant)).toEqual(before);
    expect(await orderOf(other, theirs.order.id)).toMatchObject({ status: "unpaid" });
  });

  const seconds = of(slug).facts.staleAfterSeconds;
  if (seconds !== null)
    test("that is older than the provider allows is refused", async () => {
      clock.advance((seconds + 5) * 1_000);
      const before = await readBooks(ctx.db, shop.tenant);
      expect((await post(app, paid.callback)).status).toBeGreaterThanOrEqual(400);
      expect(await straysOf(shop.credential.id)).toContainEqual({ reason: "stale" });
      expect(await readBooks(ctx.db, shop.tenant)).toEqual(before);
    });

  test("by GET isn't accepted", async () => {
    expect(await post(app, paid.callback, "GET")).toMatchObject({ status: 405 });
  });
}

interface Forged {
  slug: string;
  shop: SimulatedShop;
  paid: Awaited<ReturnType<typeof bought>>;
  all: Forgery[];
  comparesEach: boolean;
}

async function refusesAll({ slug, shop, paid, all, comparesEach }: Forged): Promise<void> {
  // The first one may trigger a fetch of the provider's keys.
  await post(app, { ...paid.callback, body: `${paid.callback.body} ` });
  await deleteStrays();
  const warned = vi.spyOn(ctx.log, "warn");
  onTestFinished(() => warned.mockRestore());
  const counted = await countOf(slug);
  const before = await fingerprintDatabase(ctx.db);
  for (const { name, change } of all) {
    const { status } = await post(app, change(paid.callback));
    expect(status, name).toBeGreaterThanOrEqual(400);
    expect(status, name).toBeLessThan(500);
    const strays = await straysOf(shop.credential.id);
    expect(
      strays.map(({ reason }) => refusals.some((one) => one === reason)),
      name,
    ).toEqual([true]);
    await deleteStrays();
    if (comparesEach) expect(await fingerprintDatabase(ctx.db), name).toBe(before);
  }
  expect(await countOf(slug)).toBe(counted + all.length);
  const logged = warned.mock.calls.filter(([, message]) => (message as unknown) === "a callback was refused");
  expect(logged).toHaveLength(all.length);
  for (const [about] of logged) expect(about).toMatchObject({ gateway: slug, credential: shop.credential.id, reason: expect.any(String) });
  expect(await orderOf(shop, paid.order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
  // In the short form the database is compared once, and after each of them only if something was written.
  const after = await fingerprintDatabase(ctx.db);
  expect(after === before ? [] : ["something was written, by one of:", ...(await listWriting({ paid, all }))]).toEqual([]);
}

/** Which forgeries change something. */
async function listWriting({ paid, all }: Pick<Forged, "paid" | "all">): Promise<string[]> {
  const writing: string[] = [];
  for (const { name, change } of all) {
    const before = await fingerprintDatabase(ctx.db);
    await post(app, change(paid.callback));
    await deleteStrays();
    if ((await fingerprintDatabase(ctx.db)) !== before) writing.push(name);
  }
  return writing;
}

function genuine(slug: string, copies: number): void {
  let shop: SimulatedShop;
  beforeAll(async () => {
    shop = await simulatedShop(app, { provider: of(slug), account: "genuine" });
  });

  test(`${copies} times concurrently pays its order once, and no other order of the same amount`, async () => {
    const other = await shop.started();
    const { order, session, callback } = await bought(shop);
    const answers = await Promise.all(Array.from({ length: copies }, () => post(app, callback)));
    expect(new Set(answers.map((answer) => callback.accepts({ status: answer.status, body: answer.text })))).toEqual(new Set([true]));
    // The response doesn't wait long for the work that a busy machine still has to do.
    await eventually("the order is paid", async () => (await orderOf(shop, order.id))?.status === "paid");
    expect(await orderOf(shop, order.id)).toMatchObject({ amount_received_minor: shop.provider.amount.amount_minor, flags: [] });
    expect(await paymentsOf(shop)).toEqual([shop.provider.amount.amount_minor]);
    expect(await orderOf(shop, other.order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
    const again: Posted = callback.again === null ? callback : { ...callback, ...(await callback.again()) };
    await post(app, again);
    expect(await paymentsOf(shop)).toEqual([shop.provider.amount.amount_minor]);
    expect((await readBooks(ctx.db, shop.tenant)).exceptions).toEqual([]);
    expect(session.gateway).toBe(slug);
  });

  test("about a payment that wasn't paid pays nothing", async () => {
    for (const outcome of ["declined", "canceled", "expired"] as const) {
      if (!shop.provider.simulator.outcomes.includes(outcome)) continue;
      const { order, session } = await shop.started();
      shop.provider.sent.length = 0;
      await shop.provider.enter((world) => shop.provider.simulator.simulate(world, { reference: session.id, outcome }));
      for (const callback of shop.provider.sent.splice(0)) await post(app, callback);
      expect(await orderOf(shop, order.id), outcome).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
    }
  });

  test("about a payment of another program in the same account is acknowledged and changes nothing", async () => {
    const before = await readBooks(ctx.db, shop.tenant);
    const callback = await shop.callbackOfPaid("their_own_reference_000000001");
    const answer = await post(app, callback);
    expect(callback.accepts({ status: answer.status, body: answer.text })).toBe(true);
    const { callbacks: _before, ...books } = before;
    expect(await readBooks(ctx.db, shop.tenant)).toMatchObject(books);
  });

  test("of a TEST account about a LIVE order changes nothing there", () => leavesLiveAlone(slug, shop));
}

async function leavesLiveAlone(slug: string, shop: SimulatedShop): Promise<void> {
  const live = await simulatedShop(app, {
    provider: of(slug === "btcpay" ? "alipay_merchant" : "btcpay"),
    account: `live ${slug}`,
    livemode: true,
  });
  const { order, session } = await live.started();
  const [before, ownBefore] = [await readBooks(ctx.db, live.tenant), await readBooks(ctx.db, shop.tenant)];
  const callback = await shop.callbackOfPaid(session.id);
  await post(app, callback);
  const misled = callback.url.replace(shop.credential.id, live.credential.id);
  for (const url of [misled, misled.replace(slug, live.provider.slug)])
    expect((await post(app, { ...callback, url })).status).toBeGreaterThanOrEqual(400);
  expect(await readBooks(ctx.db, live.tenant)).toEqual(before);
  expect(await orderOf(live, order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
  // In TEST, it is money that wasn't requested here.
  const { orders, exceptions } = await readBooks(ctx.db, shop.tenant);
  expect(orders).toEqual(ownBefore.orders);
  expect(exceptions.filter((line) => !line.startsWith("unmatched open"))).toEqual([]);
}

function unsigned(slug: string): void {
  test("about a payment that isn't paid, or that the provider doesn't know, change no state", async () => {
    const shop = await simulatedShop(app, { provider: of(slug), account: "hints" });
    const { order, session } = await shop.started();
    const real = await shop.callbackOf(session.id).catch(() => bought(shop).then(({ callback }) => callback));
    const { callbacks: _before, ...books } = await readBooks(ctx.db, shop.tenant);
    await post(app, real);
    for (const { change } of shop.provider.facts.forgeries) await post(app, change(real));
    for (const body of ["", "{}"]) await post(app, { ...real, body });
    expect(await readBooks(ctx.db, shop.tenant)).toMatchObject(books);
    expect(await orderOf(shop, order.id)).toMatchObject({ status: "unpaid", amount_received_minor: 0 });
  });

  test("about a payment that the account doesn't have cause no query, and leave no callback", async () => {
    const shop = await simulatedShop(app, { provider: of(slug), account: "unknown" });
    await shop.started();
    const real = await shop.callbackOfPaid("their_own_reference_000000002");
    const attempts = () => runStatement(ctx.db, "select from gateway_attempts where credential_id = ?", shop.credential.id);
    const before = await attempts();
    for (let sent = 0; sent < 3; sent += 1) expect((await post(app, real)).status).toBe(200);
    expect(await attempts()).toHaveLength(before.length);
    expect(await runStatement(ctx.db, "select from gateway_callbacks where credential_id = ?", shop.credential.id)).toHaveLength(0);
  });
}
