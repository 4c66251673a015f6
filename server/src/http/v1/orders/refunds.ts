import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { failRefund, findRefund, listOrderRefunds, listRefunds, orderView, refundOrder, refundView, reversePayment } from "#orders/index.ts";
import { type OrderShape, pathOf, type RefundShape, readRefund, refTo, refundFailureIn, refundIn, refundStatuses, reversalIn } from "#schemas/index.ts";
import { cursorOf, filtersOf, listOf, listQuery, listUrl, pageErrors, readList, showList } from "../../lists.ts";
import type { App } from "../../runtime.ts";

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
          "Gives money of a paid order back to its buyer: all of it or a part, as often as you like, and never more in all than the order received. A payment through a provider is paid back by the provider; the answer may still be `pending`, `requires_action` or `unknown`, and `refund.succeeded` or `refund.failed` tells of the end. Send an `Idempotency-Key`, so that a repeated request doesn't pay back twice. With method `manual`, which is the only one for money on a personal code, you have paid it back yourself and record that. Money in an exception goes back by `POST …/exceptions/{id}/resolve`.",
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
        response: { 200: listOf<RefundShape>("Refund", "a refund's id") },
      },
    },
    async (request) => {
      const { ctx, tenant } = request;
      const query = cursorOf(readList(request.query));
      const { rows, ...page } = await listOrderRefunds(ctx, tenant, { order_id: request.params.id, ...query });
      return showList({ url: listUrl(tenant, `orders/${request.params.id}/refunds`), data: rows.map((row) => refundView(ctx, row)), ...page });
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
        response: { 200: listOf<RefundShape>("Refund", "a refund's id") },
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
          "For a refund that somebody recorded and whose money never left, or came back. It is in the wallet again, and the order can be refunded that much again. A refund of an exception's money opens the exception again. Whether a refund through a provider fails, the provider says. Once it hasn't said for days, and an exception with the reason `refund_unknown` has told you, a signed-in person who looked there can say that it wasn't made; `note` says what they saw.",
      },
    },
    async (request) => refundView(request.ctx, await failRefund(request.ctx, request.tenant, { refund_id: request.params.id, ...request.body })),
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
        summary: "Reverse a payment that was none",
        params: pathOf("projectId", "id"),
        body: reversalIn,
        response: { 200: refTo<OrderShape>("Order") },
        description:
          "For an order that was settled by mistake, by a reviewer or by itself. It stays paid, with the flag `payment_reversed`, and its buyer is told nothing. Transfer numbers and receipts are free again, and money that then comes for the order pays it. Not possible while a refund of its payment has not failed.",
      },
    },
    async (request) => orderView(request.ctx, await reversePayment(request.ctx, request.tenant, { order_id: request.params.id, ...request.body })),
  );
}
