import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { listPayments, sessionView, startPayment } from "#orders/index.ts";
import { type App, cursorOf, listOf, listQuery, listUrl, readList, showList } from "#requests/index.ts";
import { type PaymentSessionShape, pathOf, paymentIn, refTo } from "#schemas/index.ts";

const params = pathOf("projectId", "id");

/** Payment attempts (payment sessions) of an order: `GET` and `POST …/orders/:id/payments`. */
export const paymentRoutes: FastifyPluginAsyncTypebox = async (app) => {
  startRoute(app);
  listRoute(app);
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
          "Offers the buyer a receiving code, or creates a payment at a gateway. Repeating the request for the same gateway returns 200 and the same session; after a 504, it finds the payment if it was created.",
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

function listRoute(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id/payments",
    {
      config: { scope: "orders:read", errors: ["resource_missing", "invalid_cursor", "parameter_conflict"] },
      schema: {
        operationId: "listOrderPayments",
        tags: ["Orders"],
        summary: "List an order's payment sessions",
        params,
        querystring: listQuery({ created: false }),
        response: { 200: listOf<PaymentSessionShape>("PaymentSession", "a session's ID") },
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
