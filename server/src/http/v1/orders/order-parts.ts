import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import {
  disputeView,
  listOrderDisputes,
  listOrderEvents,
  listPayments,
  listReviews,
  listVouchers,
  type ReviewRow,
  sessionView,
  startPayment,
  voucherView,
} from "#orders/index.ts";
import { type DisputeShape, type EventShape, type PaymentSessionShape, pathOf, paymentIn, refTo, showEvent, type VoucherShape } from "#schemas/index.ts";
import { cursorOf, listOf, listQuery, listUrl, readList, showList } from "../../lists.ts";
import type { App } from "../../runtime.ts";

const params = pathOf("projectId", "id");
const querystring = listQuery({ created: false });
const errors = ["resource_missing", "invalid_cursor", "parameter_conflict"];

/** Parts of one order: payment attempts, proofs, disputes, events. */
export const orderPartRoutes: FastifyPluginAsyncTypebox = async (app) => {
  startRoute(app);
  listSessions(app);
  listProofs(app);
  listDisputes(app);
  listEvents(app);
  reviewsRoute(app);
};

function startRoute(app: App): void {
  app.post(
    "/projects/:projectId/orders/:id/payments",
    {
      config: {
        scope: "orders:write",
        movesMoney: true,
        errors: [
          "resource_missing",
          "unsupported_currency",
          "order_already_paid",
          "order_state_conflict",
          "collection_profile_missing",
          "session_active",
          "no_free_amount",
          "amount_out_of_range",
          "gateway_not_configured",
          "gateway_error",
          "gateway_timeout",
        ],
      },
      schema: {
        operationId: "startPayment",
        tags: ["Orders"],
        summary: "Start a payment",
        params,
        body: paymentIn,
        description:
          "Offers the buyer a receiving code, or asks a gateway for a payment. Asking again for the same gateway answers 200 and the same session; after a 504 it finds the payment that may be there.",
        response: { 200: refTo<PaymentSessionShape>("PaymentSession"), 201: refTo<PaymentSessionShape>("PaymentSession") },
      },
    },
    async (request, reply) => {
      const { ctx, tenant } = request;
      const { session, created } = await startPayment(ctx, tenant, { order_id: request.params.id, gateway: request.body.gateway });
      const { link } = await listPayments(ctx, tenant, { order_id: request.params.id, limit: 1 });
      return reply.code(created ? 201 : 200).send(sessionView(ctx, session, link));
    },
  );
}

function listSessions(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id/payments",
    {
      config: { scope: "orders:read", errors },
      schema: {
        operationId: "listOrderPayments",
        tags: ["Orders"],
        summary: "List an order's payment sessions",
        params,
        querystring,
        response: { 200: listOf<PaymentSessionShape>("PaymentSession", "a session's id") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, link, ...page } = await listPayments(request.ctx, request.tenant, { order_id: request.params.id, ...cursorOf(query) });
      const url = listUrl(request.tenant, `orders/${request.params.id}/payments`);
      return showList({
        url,
        data: rows.map((row) => sessionView(request.ctx, row, link)),
        ...page,
      });
    },
  );
}

function listProofs(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id/vouchers",
    {
      config: { scope: "orders:read", errors },
      schema: {
        operationId: "listOrderVouchers",
        tags: ["Orders"],
        summary: "List an order's proofs of payment",
        params,
        querystring,
        response: { 200: listOf<VoucherShape>("Voucher", "a proof's id") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listVouchers(request.ctx, request.tenant, { order_id: request.params.id, ...cursorOf(query) });
      const url = listUrl(request.tenant, `orders/${request.params.id}/vouchers`);
      return showList({
        url,
        data: rows.map((row) => voucherView(request.ctx, row)),
        ...page,
      });
    },
  );
}

function listDisputes(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id/disputes",
    {
      config: { scope: "payments:read", errors },
      schema: {
        operationId: "listOrderDisputes",
        tags: ["Orders"],
        summary: "List an order's disputes",
        description: "Payments of the order that its buyer disputes, as the provider tells of them. You answer a dispute at the provider.",
        params,
        querystring,
        response: { 200: listOf<DisputeShape>("Dispute", "a dispute's id") },
      },
    },
    async (request) => {
      const query = cursorOf(readList(request.query));
      const { rows, ...page } = await listOrderDisputes(request.ctx, request.tenant, { order_id: request.params.id, ...query });
      return showList({ url: listUrl(request.tenant, `orders/${request.params.id}/disputes`), data: rows.map(disputeView), ...page });
    },
  );
}

function listEvents(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id/events",
    {
      config: { scope: "orders:read", errors },
      schema: {
        operationId: "listOrderEvents",
        tags: ["Orders"],
        summary: "List an order's events",
        params,
        querystring,
        response: { 200: listOf<EventShape>("Event", "an event's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listOrderEvents(request.ctx, request.tenant, { order_id: request.params.id, ...cursorOf(query) });
      const url = listUrl(request.tenant, `orders/${request.params.id}/events`);
      return showList({
        url,
        data: rows.map(showEvent),
        ...page,
      });
    },
  );
}

function reviewsRoute(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id/reviews",
    {
      config: { scope: "orders:read", errors },
      schema: {
        operationId: "listOrderReviews",
        tags: ["Orders"],
        summary: "List an order's reviews",
        description: "Who approved or rejected a payment of the order, when, and what they said arrived.",
        params,
        querystring,
        response: { 200: listOf<ReviewRow>("Review", "a review's id") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listReviews(request.ctx, request.tenant, { order_id: request.params.id, ...cursorOf(query) });
      return showList({
        url: listUrl(request.tenant, `orders/${request.params.id}/reviews`),
        data: rows,
        ...page,
      });
    },
  );
}
