import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { listStrays } from "#gateways/index.ts";
import { cursorOf, listOf, listQuery, many, pageErrors, readList, showList } from "#requests/index.ts";
import { callbackRefusals, type RefusedCallbackShape, showRefusedCallback } from "#schemas/index.ts";

/** Refused requests to any callback address: only operators see those that matched no account. */
export const refusedCallbackRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/refused-callbacks",
    {
      config: { scope: "operator", errors: pageErrors },
      schema: {
        operationId: "listAllRefusedCallbacks",
        tags: ["Operators"],
        summary: "List all refused callbacks",
        description:
          "Requests to the installation's callback addresses that were refused, including those no account expected. They changed nothing.",
        querystring: listQuery({
          created: false,
          more: { reason: many("Only callbacks refused for these reasons. Can be repeated.", { enum: [...callbackRefusals] }) },
        }),
        response: { 200: listOf<RefusedCallbackShape>("RefusedCallback", "a callback's ID") },
      },
    },
    async (request) => {
      const reason = (request.query["reason"] as string[] | undefined) ?? null;
      const { rows, ...page } = await listStrays(request.ctx, { ...cursorOf(readList(request.query)), reason });
      return showList({ url: "/api/admin/refused-callbacks", data: rows.map(showRefusedCallback), ...page });
    },
  );
};
