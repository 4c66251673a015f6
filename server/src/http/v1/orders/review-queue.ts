import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { listReviewQueue } from "#reconciliation/index.ts";
import { cursorOf, listOf, listQuery, listUrl, pageErrors, readList, showList } from "#requests/index.ts";
import { type OrderShape, orderExpansions, pathOf } from "#schemas/index.ts";
import { expandOrders } from "./expand-orders.ts";

/** Orders that need a decision. */
export const reviewQueueRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/reviews/queue",
    {
      config: { scope: "orders:read", errors: pageErrors },
      schema: {
        operationId: "listReviewQueue",
        tags: ["Orders"],
        summary: "List orders to review",
        description:
          "Orders in `pending_verify`, the oldest report first. An order that has been decided still works as a cursor, so you can continue from it. Decide with `POST …/orders/{id}/verification`.",
        params: pathOf("projectId"),
        querystring: listQuery({ created: false, expand: orderExpansions }),
        response: { 200: listOf<OrderShape>("Order", "an order's ID", "oldest report first") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const { rows, ...page } = await listReviewQueue(request.ctx, request.tenant, cursorOf(query));
      return showList({ url: listUrl(request.tenant, "reviews/queue"), data: await expandOrders(request, query, rows), ...page });
    },
  );
};
