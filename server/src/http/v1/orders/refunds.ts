import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { failRefund, findRefund, listOrderRefunds, listRefunds, orderView, refundOrder, refundView } from "#orders/index.ts";
import { reversePayment } from "#reconciliation/index.ts";
import { type App, cursorOf, filtersOf, listOf, listQuery, listUrl, pageErrors, readList, showList } from "#requests/index.ts";
import {
  type OrderShape,
  pathOf,
  type RefundShape,
  readRefund,
  refTo,
  refundFailureIn,
  refundIn,
  refundStatuses,
  reversalIn,
} from "#schemas/index.ts";

const tags = ["Refunds"];

/** Refunds and reversals. */
export const refundRoutes: FastifyPluginAsyncTypebox = async (app) => {
  createRoute(app);
  listOfOrderRoute(app);
  listRoute(app);
  getRoute(app);
  failRoute(app);
  reverseRoute(app);
};

function createRoute(app: App): void {
  app.post(
    "/projects/:projectId/orders/:id/refunds",
    {
      config: {
        scope: "refunds:write",
        errors: [
          "resource_missing",
          "refund_exceeds_received",
          "order_state_conflict",
          "parameter_conflict",
          "amount_out_of_range",
          "card_number_refused",
          "gateway_not_configured",
          "gateway_error",
        ],
      },
      schema: {
        operationId: "createRefund",
        tags,
        summary: "Refund an order",
        params: pathOf("projectId", "id"),
        body: refundIn,
        response: { 201: refTo<RefundShape>("Refund") },
        description:
          "Refunds a paid order, in full or in part. You can make several refunds, up to the amount the order received. A payment through a provider is refunded by the provider: the response may still be `pending`, `requires_action` or `unknown`, and `refund.succeeded` or `refund.failed` reports the outcome. Send an `Idempotency-Key`, so that a repeated request doesn't refund twice. The method `manual` records money you have paid back yourself; it's the only method for money on a personal code. To refund money in an exception, use `POST …/exceptions/{id}/resolve`.",
      },
    },
    async (request, reply) => {
      const refund = await refundOrder(request.ctx, request.tenant, { order_id: request.params.id, ...readRefund(request.body) });
      return reply.code(201).send(refundView(request.ctx, refund));
    },
  );
}

function listOfOrderRoute(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id/refunds",
    {
      config: { scope: "payments:read", errors: ["resource_missing", "invalid_cursor", "parameter_conflict"] },
      schema: {
        operationId: "listOrderRefunds",
        tags,
        summary: "List an order's refunds",
        params: pathOf("projectId", "id"),
        querystring: listQuery({ created: false }),
        response: { 200: listOf<RefundShape>("Refund", "a refund's ID") },
      },
    },
    async (request) => {
      const { ctx, tenant } = request;
      const query = cursorOf(readList(request.query));
      const { rows, ...page } = await listOrderRefunds(ctx, tenant, { order_id: request.params.id, ...query });
      return showList({
        url: listUrl(tenant, `orders/${request.params.id}/refunds`),
        data: rows.map((row) => refundView(ctx, row)),
        ...page,
      });
    },
  );
}

function listRoute(app: App): void {
  app.get(
    "/projects/:projectId/refunds",
    {
      config: { scope: "payments:read", errors: pageErrors },
      schema: {
        operationId: "listRefunds",
        tags,
        summary: "List refunds",
        params: pathOf("projectId"),
        querystring: listQuery({
          status: [...refundStatuses],
          gateway: true,
          currency: true,
          more: { order_id: Type.Optional(Type.String({ maxLength: 40, description: "Only those of this order." })) },
        }),
        response: { 200: listOf<RefundShape>("Refund", "a refund's ID") },
      },
    },
    async (request) => {
      const { ctx, tenant } = request;
      const query = readList(request.query);
      const order_id = request.query.order_id as string | undefined;
      const filters = { ...filtersOf(query), ...(order_id === undefined ? {} : { order_id }) };
      const { rows, ...page } = await listRefunds(ctx, tenant, { ...cursorOf(query), filters });
      return showList({ url: listUrl(tenant, "refunds"), data: rows.map((row) => refundView(ctx, row)), ...page });
    },
  );
}

function getRoute(app: App): void {
  app.get(
    "/projects/:projectId/refunds/:id",
    {
      config: { scope: "payments:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getRefund",
        tags,
        summary: "Retrieve a refund",
        params: pathOf("projectId", "id"),
        response: { 200: refTo<RefundShape>("Refund") },
      },
    },
    async (request) => refundView(request.ctx, await findRefund(request.ctx, request.tenant, request.params.id)),
  );
}

function failRoute(app: App): void {
  app.post(
    "/projects/:projectId/refunds/:id/fail",
    {
      config: { scope: "refunds:write", errors: ["resource_missing", "order_state_conflict", "session_required", "card_number_refused"] },
      schema: {
        operationId: "failRefund",
        tags,
        summary: "Mark a refund as failed",
        params: pathOf("projectId", "id"),
        body: refundFailureIn,
        response: { 200: refTo<RefundShape>("Refund") },
        description:
          "For a recorded refund whose money was never sent, or came back. The money returns to the wallet, and the order can be refunded that amount again. If the money came from an exception, the exception is open again. For a refund through a provider, the provider reports whether it failed. If it hasn't reported for days and an exception with the reason `refund_unknown` was opened, a signed-in person who has checked with the provider can mark the refund as not made; `note` says what they found.",
      },
    },
    async (request) =>
      refundView(request.ctx, await failRefund(request.ctx, request.tenant, { refund_id: request.params.id, ...request.body })),
  );
}

function reverseRoute(app: App): void {
  app.post(
    "/projects/:projectId/orders/:id/reverse",
    {
      config: { scope: "reviews:write", errors: ["resource_missing", "order_state_conflict", "session_required", "card_number_refused"] },
      schema: {
        operationId: "reversePayment",
        tags: ["Orders"],
        summary: "Reverse a mistaken payment",
        params: pathOf("projectId", "id"),
        body: reversalIn,
        response: { 200: refTo<OrderShape>("Order") },
        description:
          "For an order that was settled by mistake, by a reviewer or automatically. The order stays paid with the flag `payment_reversed`, and the buyer isn't notified. Its transfer numbers and receipts can be used again, and money that arrives for the order later pays it. Not possible if the payment has a refund that hasn't failed.",
      },
    },
    async (request) =>
      orderView(request.ctx, await reversePayment(request.ctx, request.tenant, { order_id: request.params.id, ...request.body })),
  );
}
