import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from "fastify";
import { type OrderWatch, viewPayment, watchOrders } from "#checkout/index.ts";
import { findByToken, watchPayments } from "#orders/index.ts";
import type { Ctx } from "#platform/index.ts";
import { streamOut } from "#schemas/index.ts";

interface Linked {
  Params: { token: string };
}

const breathMs = 20_000;

/** `GET …/events`: the page's state whenever it changes. An idle stream costs a socket and a line every 20 seconds, no query. */
export const payEventRoutes: FastifyPluginAsync = async (app) => {
  const watch = watchOrders(app.runtime.ctx);
  const open = new Map<FastifyReply, Followed["order"]>();
  keepBreathing(app, open);
  app.addHook("preClose", (done) => {
    watch.close();
    for (const reply of open.keys()) reply.raw.end();
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
      // A client that left while the page was read sends no further event.
      if (reply.raw.closed) return reply;
      reply.hijack();
      reply.raw.writeHead(200, {
        ...headersOf(reply),
        "content-type": "text/event-stream; charset=utf-8",
        "x-accel-buffering": "no",
        "x-robots-tag": "noindex",
      });
      reply.raw.write(`retry: 3000\n\n${line(first)}`);
      open.set(reply, order);
      const stop = follow(watch, { ctx: request.ctx, reply, order, token: request.params.token, version: first.version });
      reply.raw.once("close", () => {
        stop();
        open.delete(reply);
      });
    },
  );
};

interface Followed {
  ctx: Ctx;
  reply: FastifyReply;
  order: Parameters<OrderWatch["watch"]>[0];
  token: string;
  version: string;
}

/** Writes the new state after each visible change. A failed read is made up by the next one, or by the page's own polling. */
function follow(watch: OrderWatch, followed: Followed): () => void {
  let shown = followed.version;
  return watch.watch(followed.order, () => {
    viewPayment(followed.ctx, { token: followed.token }).then(
      (view) => {
        if (view.version === shown || followed.reply.raw.destroyed) return;
        shown = view.version;
        followed.reply.raw.write(line(view));
      },
      (error: unknown) => followed.ctx.log.warn({ err: error }, "a followed page couldn't be read"),
    );
  });
}

function line(view: { state: string; version: string }): string {
  return `event: state\ndata: ${JSON.stringify({ state: view.state, version: view.version })}\n\n`;
}

/**
 * One timer for all streams: occasional comments keep proxies from closing them. Providers are polled about payments while their pages are
 * open.
 */
function keepBreathing(app: FastifyInstance, open: ReadonlyMap<FastifyReply, Followed["order"]>): void {
  const { ctx } = app.runtime;
  const timer = setInterval(() => {
    for (const reply of open.keys()) reply.raw.write(": \n\n");
    if (open.size === 0 || ctx.gateways.all.length === 0) return;
    const orders = new Map([...open.values()].map((order) => [order.id, order]));
    watchPayments(ctx, [...orders.values()]).catch((err: unknown) => ctx.log.warn({ err }, "watched payments couldn't be recorded"));
  }, breathMs).unref();
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
}

function headersOf(reply: FastifyReply): Record<string, string | string[] | number> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | string[] | number
  >;
}
