import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { changeOrder, createOrder, findOrder, findPayment, listOrders, orderView, sessionView } from "#orders/index.ts";
import {
  type App,
  bound,
  cursorOf,
  filtersOf,
  listOf,
  listQuery,
  listUrl,
  pageErrors,
  readIfMatch,
  readList,
  showList,
} from "#requests/index.ts";
import {
  type OrderShape,
  orderChangeIn,
  orderExpansions,
  orderIn,
  orderStatuses,
  type PaymentSessionShape,
  pathOf,
  refTo,
} from "#schemas/index.ts";
import { expandOrders } from "./expand-orders.ts";

const tags = ["Orders"];

export const orderRoutes: FastifyPluginAsyncTypebox = async (app) => {
  postOrder(app);
  listRoute(app);
  getOrder(app);
  patchOrder(app);
  getSession(app);
};

function patchOrder(app: App): void {
  app.patch(
    "/projects/:projectId/orders/:id",
    {
      config: { scope: "orders:write", errors: ["resource_missing", "version_conflict", "card_number_refused"] },
      schema: {
        operationId: "updateOrder",
        tags,
        summary: "Update an order",
        description:
          "Updates the data you store with an order, whatever its status. `metadata` replaces all keys; in `customer`, only the fields you send change.",
        params: pathOf("projectId", "id"),
        body: orderChangeIn,
        response: { 200: refTo<OrderShape>("Order") },
      },
    },
    async (request) => {
      const change = { ...request.body, order_id: request.params.id, if_version: readIfMatch(request) };
      return orderView(request.ctx, await changeOrder(request.ctx, request.tenant, change));
    },
  );
}

function getSession(app: App): void {
  app.get(
    "/projects/:projectId/payment-sessions/:id",
    {
      config: { scope: "orders:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getPaymentSession",
        tags,
        summary: "Retrieve a payment session",
        description: "A payment attempt of any order in the project.",
        params: pathOf("projectId", "id"),
        response: { 200: refTo<PaymentSessionShape>("PaymentSession") },
      },
    },
    async (request) => {
      const { session, link } = await findPayment(request.ctx, request.tenant, request.params.id);
      return sessionView(request.ctx, session, link);
    },
  );
}

function postOrder(app: App): void {
  app.post(
    "/projects/:projectId/orders",
    {
      config: {
        scope: "orders:write",
        movesMoney: true,
        errors: ["unsupported_currency", "amount_out_of_range", "card_number_refused", "reference_exists"],
      },
      schema: {
        operationId: "createOrder",
        tags,
        summary: "Create an order",
        description:
          "Creates an order and its payment link. Send the buyer to `payment_link.url`. `warnings` reports if the project has no payment method for the order's currency.",
        params: pathOf("projectId"),
        body: orderIn,
        response: { 201: refTo<OrderShape>("Order") },
      },
    },
    async (request, reply) => {
      const made = await createOrder(request.ctx, request.tenant, request.body);
      return reply.code(201).send(await orderView(request.ctx, made));
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
        querystring: listQuery({
          status: orderStatuses,
          reference: true,
          gateway: true,
          currency: true,
          q: true,
          customer: true,
          metadata: true,
          expand: orderExpansions,
          more: { "claimed[gte]": bound("Only canceled orders whose buyer said at or after this time that they had paid (`claimed_at`).") },
        }),
        response: { 200: listOf<OrderShape>("Order", "an order's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listOrders(request.ctx, request.tenant, {
        ...cursorOf(query),
        filters: { ...filtersOf(query), ...claimedOf(request.query) },
      });
      const data = await expandOrders(request, query, rows);
      return showList({ url: listUrl(request.tenant, "orders"), data, ...page });
    },
  );
}

function claimedOf(query: Record<string, unknown>): { claimed_gte?: Date } {
  const since = query["claimed[gte]"] as string | undefined;
  return since === undefined ? {} : { claimed_gte: new Date(since) };
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
        querystring: listQuery({ page: "none", created: false, expand: orderExpansions }),
        response: { 200: refTo<OrderShape>("Order") },
      },
    },
    async (request) => {
      const bundle = await findOrder(request.ctx, request.tenant, request.params.id);
      const expansions = request.query["expand[]"];
      if (expansions === undefined) return orderView(request.ctx, bundle);
      const [order] = await expandOrders(request, readList(request.query), [bundle]);
      return order as OrderShape;
    },
  );
}
