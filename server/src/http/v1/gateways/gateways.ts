import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { listMethodStates } from "#orders/index.ts";
import { listOf, listQuery, listUrl, showUnpaged } from "#requests/index.ts";
import { type GatewayShape, pathOf, showGateway } from "#schemas/index.ts";

/** The payment methods of a project, from which the dashboard and other programs take their names. */
export const gatewayRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/gateways",
    {
      config: { scope: "payments:read" },
      schema: {
        operationId: "listGateways",
        tags: ["Gateways"],
        summary: "List gateways",
        description:
          "All payment methods of this installation, in the order buyers see them (the project's setting `gateway_order`), with their names, their currencies, and whether the project has set them up.",
        params: pathOf("projectId"),
        querystring: listQuery({ created: false, page: "whole" }),
        response: {
          200: listOf<GatewayShape>("Gateway", "always null, because there is only one page", "in the order of the payment page"),
        },
      },
    },
    async (request) => {
      const { tenant } = request;
      const states = await listMethodStates(request.ctx, tenant);
      return showUnpaged(
        { url: listUrl(tenant, "gateways"), data: states.map((state, index) => showGateway(request.ctx, tenant, { ...state, index })) },
        request.query,
      );
    },
  );
};
