import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import Fastify, { type FastifyInstance } from "fastify";
import { buildApp } from "#app/build-app.ts";
import { type FileStore, newId, openDatabase, randomBase62, type Tenant } from "#platform/index.ts";
import { stripe } from "#providers/payment/stripe/adapter.ts";
import { defaultHttpSettings } from "#requests/index.ts";
import { contextOn } from "#test/support/app/context.ts";
import { insertEvents } from "../src/events/sql.ts";
import { insertOrders } from "../src/orders/order/create.sql.ts";
import { listOrderRows } from "../src/orders/order/list.sql.ts";
import { listBundles } from "../src/orders/rows/orders.sql.ts";

/** Which server to run: the product, or one of the ceilings it is compared with. */
export interface Serve {
  kind: "tillpost" | "bare" | "sql" | "proxy";
  url: string;
  tenant: Tenant;
  /** The origin of the simulator of the one gateway that is measured. */
  provider?: string;
}

/** No figure touches a file. */
const files: FileStore = { put: async () => {}, get: async () => null, remove: async () => {} };
const unlimited = 1_000_000_000;

/** What a server reports about itself. */
export interface ServedState {
  peakMb: number;
  /** The longest block of its thread since the last query, and the part caused only by garbage collection. */
  heldUpMs: number;
  collectedMs: number;
}

const loop = monitorEventLoopDelay({ resolution: 5 });
let collectedMs = 0;

/** A program: serves until its parent exits; reports its port, and its state on request. */
process.on("message", (message: Serve | "state") => {
  if (message === "state") sendState();
  else void serve(message).then((port) => process.send?.({ port }));
});
process.once("disconnect", () => process.exit(0));

function sendState(): void {
  const rounded = (ms: number) => Math.round(ms * 10) / 10;
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  process.send?.({ peakMb, heldUpMs: rounded(loop.max / 1e6), collectedMs: rounded(collectedMs) } satisfies ServedState);
  loop.reset();
  collectedMs = 0;
}

async function serve(given: Serve): Promise<number> {
  loop.enable();
  new PerformanceObserver((list) => {
    collectedMs = Math.max(collectedMs, ...list.getEntries().map(({ duration }) => duration));
  }).observe({ entryTypes: ["gc"] });
  const app = await { tillpost, bare, sql: sqlRoutes, proxy }[given.kind](given);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const address = app.server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function tillpost(given: Serve): Promise<FastifyInstance> {
  const database = openDatabase({ url: given.url });
  const tierLimits = ["emails", "sms", "sms_batches", "reads", "general", "burst"].map((limit) => `enterprise.${limit}=999999999`);
  const settings = {
    ...defaultHttpSettings,
    tierLimits,
    perMinuteTest: unlimited,
    perMinuteLinkReads: unlimited,
    perMinuteLinkReadsPerAddress: unlimited,
    burst: 10_000,
  };
  const gateways = given.provider === undefined ? {} : { gateways: { adapters: [stripe], urls: [`stripe=${given.provider}`] } };
  const sms = { routes: [{ name: "smpp", takes: () => true }] };
  return buildApp({ ctx: contextOn(database, { now: () => new Date(), files, sms, ...gateways }), database, settings });
}

/** A JSON body in, a JSON body out. */
function bare(): FastifyInstance {
  const app = Fastify();
  const answer = rowOf({ project_id: newId("prj"), livemode: false }, "B-1");
  app.post("/orders", async (_request, reply) => reply.code(201).send(answer.order));
  for (const path of ["/emails", "/sms"])
    app.post<{ Body: object }>(path, async (request, reply) => reply.code(201).send({ ...answer.order, ...(request.body as object) }));
  return app;
}

/** One request in, the same request to the provider, its response out: only Fastify and Node's own `fetch`. */
function proxy({ provider = "" }: Serve): FastifyInstance {
  const app = Fastify();
  app.post<{ Body: { key: string; form: string; once: string } }>("/payments", async (request, reply) => {
    const { key, form, once } = request.body;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-www-form-urlencoded", "idempotency-key": once };
    const answer = await fetch(`${provider}/v1/checkout/sessions`, { method: "POST", headers, body: form });
    return reply.code(answer.status === 200 ? 201 : 502).send(await answer.json());
  });
  return app;
}

/** Only the product's own statements, one request per transaction. */
function sqlRoutes({ url, tenant }: Serve): FastifyInstance {
  const database = openDatabase({ url });
  const app = Fastify();
  app.post<{ Body: { reference: string } }>("/orders", async (request, reply) => {
    const row = rowOf(tenant, request.body.reference);
    await database.transact(async (tx) => {
      await insertOrders(tx, [row]);
      const body = JSON.stringify({ event: "order.created", data: row.order });
      await insertEvents(
        tx,
        [{ ...tenant, id: newId("evt"), event: "order.created", object_id: row.order.id, body }],
        row.order.created_at,
      );
    });
    return reply.code(201).send(row.order);
  });
  app.get<{ Params: { id: string } }>("/orders/:id", (request) => listBundles(database.db, [{ ...tenant, id: request.params.id }]));
  app.get<{ Querystring: { starting_after: string } }>("/orders", (request) =>
    listOrderRows(database.db, tenant, { filters: {}, cut: { limit: 20, starting_after: request.query.starting_after } }),
  );
  return app;
}

function rowOf(tenant: Tenant, reference: string) {
  const now = new Date();
  const order = {
    ...tenant,
    id: newId("ord"),
    reference,
    status: "unpaid" as const,
    flags: [],
    version: 1,
    amount_minor: 9900,
    currency: "CNY",
    exponent: 2,
    amount_received_minor: 0,
    amount_held_minor: 0,
    amount_refunded_minor: 0,
    amount_refunding_minor: 0,
    amount_disputed_minor: 0,
    description: "Three months",
    metadata: { subscription_id: "sub_42", plan: "pro", billing_period: "2026-11" },
    customer: { email: "ada@example.com" },
    return_url: null,
    locale: "auto",
    failure_code: null,
    rejection: null,
    expires_at: new Date(now.getTime() + 86_400_000),
    paid_at: null,
    failed_at: null,
    canceled_at: null,
    claimed_at: null,
    created_at: now,
    updated_at: now,
  };
  return {
    order,
    link: { ...tenant, id: newId("lnk"), order_id: order.id, token: `pl_test_${randomBase62(32)}`, revoked_at: null, created_at: now },
  };
}
