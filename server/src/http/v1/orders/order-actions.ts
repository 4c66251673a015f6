import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { cancelOrder, dismissClaim, issuePaymentLink, orderView, revokePaymentLink, simulatePayment } from "#orders/index.ts";
import { reviewOrder } from "#reconciliation/index.ts";
import type { App } from "#requests/index.ts";
import { dismissIn, newLinkIn, type OrderShape, pathOf, readReview, refTo, reviewIn, simulationIn, strict } from "#schemas/index.ts";

const order = { 200: refTo<OrderShape>("Order") };
const params = pathOf("projectId", "id");

/** Actions on an existing order; each returns the updated order. */
export const orderActionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  issueLink(app);
  revokeLink(app);
  review(app);
  cancel(app);
  dismiss(app);
  simulate(app);
};

function issueLink(app: App): void {
  app.post(
    "/projects/:projectId/orders/:id/payment-link",
    {
      config: {
        scope: "orders:write",
        movesMoney: true,
        errors: ["resource_missing", "order_already_paid", "order_state_conflict", "reference_exists"],
      },
      schema: {
        operationId: "issuePaymentLink",
        tags: ["Payment links"],
        summary: "Issue a new payment link",
        params,
        body: newLinkIn,
        response: order,
        description: "Revokes the order's link and issues a new one. With `expires_in`, an expired order can be paid again.",
      },
    },
    async (request) =>
      orderView(request.ctx, await issuePaymentLink(request.ctx, request.tenant, { order_id: request.params.id, ...request.body })),
  );
}

function revokeLink(app: App): void {
  app.delete(
    "/projects/:projectId/orders/:id/payment-link",
    {
      config: { scope: "orders:write", errors: ["resource_missing"] },
      schema: {
        operationId: "revokePaymentLink",
        tags: ["Payment links"],
        summary: "Revoke the payment link",
        params,
        response: { 200: refTo<{ id: string; object: string; deleted: true }>("Deleted") },
        description: "The link can no longer be used to pay. Its page says so, and the buyer can still report a payment there.",
      },
    },
    async (request) => {
      const { link, order: of } = await revokePaymentLink(request.ctx, request.tenant, { order_id: request.params.id });
      return { id: link?.id ?? of.id, object: "payment_link", deleted: true as const };
    },
  );
}

function review(app: App): void {
  app.post(
    "/projects/:projectId/orders/:id/verification",
    {
      config: {
        scope: "reviews:write",
        errors: [
          "resource_missing",
          "order_already_paid",
          "order_state_conflict",
          "review_exists",
          "shortfall_unconfirmed",
          "parameter_conflict",
          "session_required",
          "unsupported_currency",
          "amount_out_of_range",
          "card_number_refused",
        ],
      },
      schema: {
        operationId: "reviewOrder",
        tags: ["Orders"],
        summary: "Approve or reject a payment",
        params,
        body: reviewIn,
        response: order,
        description:
          "Records a reviewer's decision on a payment. With `gateway`, you can also mark an order as paid if the buyer never reported a payment. If two reviewers decide at the same time, the second gets `review_exists`.",
      },
    },
    async (request) =>
      orderView(request.ctx, await reviewOrder(request.ctx, request.tenant, { order_id: request.params.id, ...readReview(request.body) })),
  );
}

function cancel(app: App): void {
  app.post(
    "/projects/:projectId/orders/:id/cancel",
    {
      config: { scope: "orders:write", errors: ["resource_missing", "order_already_paid", "order_state_conflict", "session_active"] },
      schema: {
        operationId: "cancelOrder",
        tags: ["Orders"],
        summary: "Cancel an order",
        params,
        body: strict({}),
        response: order,
        description: "Permanently cancels an unpaid order. Money that still arrives for it becomes an exception.",
      },
    },
    async (request) => orderView(request.ctx, await cancelOrder(request.ctx, request.tenant, { order_id: request.params.id })),
  );
}

function dismiss(app: App): void {
  app.post(
    "/projects/:projectId/orders/:id/claim/dismiss",
    {
      config: { scope: "reviews:write", errors: ["resource_missing", "order_state_conflict"] },
      schema: {
        operationId: "dismissClaim",
        tags: ["Orders"],
        summary: "Dismiss a claim of payment",
        params,
        body: dismissIn,
        response: order,
        description:
          "For a canceled order whose buyer says they paid (`claimed_at`), when the transfer was returned or never arrived. `claimed_at` becomes null, and the audit log records the reason. If the buyer says so again, reviewers are notified again.",
      },
    },
    async (request) =>
      orderView(request.ctx, await dismissClaim(request.ctx, request.tenant, { order_id: request.params.id, ...request.body })),
  );
}

function simulate(app: App): void {
  app.post(
    "/projects/:projectId/orders/:id/simulate-payment",
    {
      config: {
        scope: "orders:write",
        errors: ["resource_missing", "environment_mismatch", "order_already_paid", "order_state_conflict", "amount_out_of_range"],
      },
      schema: {
        operationId: "simulatePayment",
        tags: ["Orders"],
        summary: "Simulate a payment",
        params,
        body: simulationIn,
        response: order,
        description: "Only in TEST: simulates what a buyer or a provider can do, through the same code as real payments.",
      },
    },
    async (request) =>
      orderView(request.ctx, await simulatePayment(request.ctx, request.tenant, { order_id: request.params.id, ...request.body })),
  );
}
