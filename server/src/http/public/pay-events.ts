import type { FastifyPluginAsync } from "fastify";
import { type OrderWatch, viewPayment, watchOrders } from "#checkout/index.ts";
import { findByToken, watchPayments } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { createEventStreams } from "#requests/index.ts";
import { streamOut } from "#schemas/index.ts";

interface Linked {
  Params: { token: string };
}

const breathMs = 20_000;

/** `GET …/events`: the page's state whenever it changes. An idle stream costs a socket and a line every 20 seconds, no query. */
export const payEventRoutes: FastifyPluginAsync = async (app) => {
  const watch = watchOrders(app.runtime.ctx);
  const streams = createEventStreams<Followed["order"]>(app, { breathMs, onBreath: (orders) => noteWatched(app.runtime.ctx, orders) });
  app.addHook("preClose", (done) => {
    watch.close();
    done();
  });
  app.get<Linked>(
    "/api/public/pay/:token/events",
    {
      // A HEAD of a stream would never end.
      exposeHeadRoute: false,
      config: { scope: "public", linkLimit: "stream", errors: ["payment_link_not_found"] },
      schema: {
        operationId: "followPaymentPage",
        tags: ["Payment links"],
        summary: "Follow a payment page",
        description: "Server-sent events named `state`, with `{state, version}`: one right away, then one for each change.",
        params: { type: "object", properties: { token: { type: "string", description: "The payment link's token." } } },
        response: streamOut,
      },
    },
    async (request, reply) => {
      const { order } = await findByToken(request.ctx, request.params.token);
      const first = await viewPayment(request.ctx, request.params);
      const followed = { ctx: request.ctx, order, token: request.params.token, version: first.version };
      streams.start(reply, {
        reader: order,
        first: `retry: 3000\n\n${line(first)}`,
        headers: { "x-robots-tag": "noindex" },
        follow: (write) => follow(watch, followed, write),
      });
    },
  );
};

interface Followed {
  ctx: Ctx;
  order: Parameters<OrderWatch["watch"]>[0];
  token: string;
  version: string;
}

/** Writes the new state after each visible change. A failed read is made up by the next one, or by the page's own polling. */
function follow(watch: OrderWatch, followed: Followed, write: (text: string) => void): () => void {
  let shown = followed.version;
  return watch.watch(followed.order, () => {
    viewPayment(followed.ctx, { token: followed.token }).then(
      (view) => {
        if (view.version === shown) return;
        shown = view.version;
        write(line(view));
      },
      (error: unknown) => followed.ctx.log.warn({ err: error }, "a followed page couldn't be read"),
    );
  });
}

function line(view: { state: string; version: string }): string {
  return `event: state\ndata: ${JSON.stringify({ state: view.state, version: view.version })}\n\n`;
}

/** Providers are polled about payments while their pages are open. */
function noteWatched(ctx: Ctx, open: Followed["order"][]): void {
  if (open.length === 0 || ctx.gateways.all.length === 0) return;
  const orders = new Map(open.map((order) => [order.id, order]));
  watchPayments(ctx, [...orders.values()]).catch((err: unknown) => ctx.log.warn({ err }, "watched payments couldn't be recorded"));
}
