import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { createOrder, findOrder, listExpansions, listOrders, type OrderBundle, type OrderInput, orderView, sessionView, voucherView } from "#orders/index.ts";
import type { App } from "../../house.ts";
import { cursorOf, filtersOf, type ListInput, listOf, listQuery, listUrl, pageErrors, readList, showList } from "../../lists.ts";
import { pathOf, refTo } from "../../schemas/fields.ts";
import { type OrderShape, orderExpansions, orderIn, orderStatuses } from "../../shapes/order.ts";

const tags = ["Orders"];

export const orderRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postOrder(app);
  listRoute(app);
  getOrder(app);
};

function postOrder(app: App): void {
  app.post(
    "/projects/:projectId/orders",
    {
      config: { scope: "orders:write", movesMoney: true, errors: ["unsupported_currency", "amount_out_of_range", "card_number_refused", "reference_exists"] },
      schema: {
        operationId: "createOrder",
        tags,
        summary: "Create an order",
        description: "Takes an order and makes its payment link. Send the buyer to `payment_link.url`.",
        params: pathOf("projectId"),
        body: orderIn,
        response: { 201: refTo<OrderShape>("Order") },
      },
    },
    async (request, reply) => {
      const made = await createOrder(request.ctx, request.tenant, request.body as OrderInput);
      return reply.code(201).send(orderView(request.ctx, made));
    },
  );
}

function listRoute(app: App): void {
  app.get(
    "/projects/:projectId/orders",
    {
      config: { scope: "orders:read", errors: pageErrors },
      schema: {
        operationId: "listOrders",
        tags,
        summary: "List orders",
        params: pathOf("projectId"),
        querystring: listQuery({ status: orderStatuses, reference: true, gateway: true, currency: true, q: true, expand: orderExpansions, total: true }),
        response: { 200: listOf<OrderShape>("Order", "an order's id") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, has_more, total_count } = await listOrders(request.ctx, request.tenant, {
        ...cursorOf(query),
        filters: filtersOf(query),
        total: query.include_total,
      });
      const data = await expand(request, query, rows);
      return showList({ url: listUrl(request.tenant, "orders"), data, has_more, upwards: query.ending_before !== null, total_count: total_count ?? undefined });
    },
  );
}

function getOrder(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id",
    {
      config: { scope: "orders:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getOrder",
        tags,
        summary: "Retrieve an order",
        params: pathOf("projectId", "id"),
        querystring: listQuery({ page: false, created: false, expand: orderExpansions }),
        response: { 200: refTo<OrderShape>("Order") },
      },
    },
    async (request) => {
      const bundle = await findOrder(request.ctx, request.tenant, request.params.id);
      const expansions = request.query["expand[]"];
      if (expansions === undefined) return orderView(request.ctx, bundle);
      const [order] = await expand(request, readList(request.query), [bundle]);
      return order as OrderShape;
    },
  );
}

/** Adds what `expand[]` asks for. The payment link stands in every order anyway. */
async function expand(request: FastifyRequest, query: ListInput, bundles: OrderBundle[]): Promise<OrderShape[]> {
  const { ctx } = request;
  const wanted = new Set(query.expand);
  const needsParts = (wanted.has("payment_sessions") || wanted.has("vouchers")) && bundles.length > 0;
  const parts = needsParts
    ? await listExpansions(
        ctx,
        request.tenant,
        bundles.map((bundle) => bundle.order.id),
      )
    : { sessions: [], vouchers: [] };
  return bundles.map((bundle) => {
    const shown: OrderShape = orderView(ctx, bundle);
    const { id } = bundle.order;
    if (wanted.has("payment_sessions"))
      shown.payment_sessions = parts.sessions.filter((session) => session.order_id === id).map((session) => sessionView(ctx, session, bundle.link));
    if (wanted.has("vouchers")) shown.vouchers = parts.vouchers.filter((voucher) => voucher.order_id === id).map((voucher) => voucherView(ctx, voucher));
    // Refunds come with the gateways; until then no order has one.
    if (wanted.has("refunds")) shown.refunds = [];
    return shown;
  });
}
