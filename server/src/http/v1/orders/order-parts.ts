import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import {
  disputeView,
  listOrderDisputes,
  listOrderEvents,
  listReviews,
  listVouchers,
  paymentsReadEvents,
  type ReviewRow,
  voucherView,
} from "#orders/index.ts";
import { type App, cursorOf, listOf, listQuery, listUrl, readList, showList } from "#requests/index.ts";
import { type DisputeShape, type EventShape, pathOf, showEvent, type VoucherShape } from "#schemas/index.ts";

const params = pathOf("projectId", "id");
const querystring = listQuery({ created: false });
const errors = ["resource_missing", "invalid_cursor", "parameter_conflict"];

/** Parts of one order that are read: proofs, disputes, events and reviews. */
export const orderPartRoutes: FastifyPluginAsyncTypebox = async (app) => {
  listProofs(app);
  listDisputes(app);
  listEvents(app);
  reviewsRoute(app);
};

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
        response: { 200: listOf<VoucherShape>("Voucher", "a proof's ID") },
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
        description:
          "Payments of the order that the buyer disputes, as reported by the provider. You respond to a dispute at the provider.",
        params,
        querystring,
        response: { 200: listOf<DisputeShape>("Dispute", "a dispute's ID") },
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
        description:
          "Callers without `payments:read` and `webhooks:read` don't see the events that carry a transaction, an exception, a refund or a dispute.",
        params,
        querystring,
        response: { 200: listOf<EventShape>("Event", "an event's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listOrderEvents(request.ctx, request.tenant, {
        order_id: request.params.id,
        ...cursorOf(query),
        without: unreadableEvents(request),
      });
      const url = listUrl(request.tenant, `orders/${request.params.id}/events`);
      return showList({
        url,
        data: rows.map(showEvent),
        ...page,
      });
    },
  );
}

/** With `webhooks:read`, a caller can read every event anyway. */
function unreadableEvents({ principal: { scopes } }: FastifyRequest): readonly string[] {
  return scopes.has("payments:read") || scopes.has("webhooks:read") ? [] : paymentsReadEvents;
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
        description: "Who approved or rejected a payment of the order, when, and the amount they said arrived.",
        params,
        querystring,
        response: { 200: listOf<ReviewRow>("Review", "a review's ID") },
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
