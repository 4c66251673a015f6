import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { createGatewayPayment, findGatewayPaymentOf, gatewayPaymentView, listGatewayPayments } from "#orders/index.ts";
import { type App, cursorOf, listOf, listQuery, listUrl, pageErrors, readList, showList } from "#requests/index.ts";
import { type GatewayPaymentShape, gatewayPaymentIn, pathOf, refTo, strict } from "#schemas/index.ts";

const params = pathOf("projectId", "slug");
const tags = ["Gateways"];

/** Payments through one gateway, named by the merchant's own reference, and those of one order. */
export const gatewayPaymentRoutes: FastifyPluginAsyncTypebox = async (app) => {
  createRoute(app);
  findRoute(app);
  listOfOrderRoute(app);
};

function createRoute(app: App): void {
  app.post(
    "/projects/:projectId/gateways/:slug/payments",
    {
      config: {
        scope: "payments:write",
        movesMoney: true,
        errors: [
          "resource_missing",
          "gateway_not_found",
          "unsupported_currency",
          "amount_out_of_range",
          "card_number_refused",
          "reference_exists",
          "order_already_paid",
          "order_state_conflict",
          "session_active",
          "gateway_not_configured",
          "gateway_error",
          "gateway_timeout",
        ],
      },
      schema: {
        operationId: "createGatewayPayment",
        tags,
        summary: "Create a payment through a gateway",
        description:
          "Send the ID of an order, or `reference`, `amount_minor` and `currency` to create one. Repeating the same reference and amount returns 200 and the existing payment; a different amount is refused. After a 504, send the same request again.",
        params,
        body: gatewayPaymentIn,
        response: { 200: refTo<GatewayPaymentShape>("GatewayPayment"), 201: refTo<GatewayPaymentShape>("GatewayPayment") },
      },
    },
    async (request, reply) => {
      const made = await createGatewayPayment(request.ctx, request.tenant, { ...request.body, gateway: request.params.slug });
      return reply.code(made.created ? 201 : 200).send(gatewayPaymentView(request.ctx, made));
    },
  );
}

function findRoute(app: App): void {
  app.get(
    "/projects/:projectId/gateways/:slug/payments",
    {
      config: { scope: "payments:read", errors: ["resource_missing", "gateway_not_found", "parameter_missing"] },
      schema: {
        operationId: "findGatewayPayment",
        tags,
        summary: "Find a payment by its reference",
        description: "The newest payment through this gateway for the order with this reference.",
        params,
        querystring: strict({
          reference: Type.Optional(
            Type.String({ minLength: 1, maxLength: 64, description: "The order's reference. Required.", examples: ["INV-1001"] }),
          ),
        }),
        response: { 200: refTo<GatewayPaymentShape>("GatewayPayment") },
      },
    },
    async (request) => {
      const { ctx, tenant, params: path, query } = request;
      return gatewayPaymentView(ctx, await findGatewayPaymentOf(ctx, tenant, { gateway: path.slug, reference: query.reference ?? null }));
    },
  );
}

function listOfOrderRoute(app: App): void {
  app.get(
    "/projects/:projectId/orders/:id/gateway-payments",
    {
      config: { scope: "payments:read", errors: ["resource_missing", ...pageErrors] },
      schema: {
        operationId: "listOrderGatewayPayments",
        tags,
        summary: "List an order's payments at gateways",
        description: "Each attempt to pay the order through a gateway, as the provider records it.",
        params: pathOf("projectId", "id"),
        querystring: listQuery({ created: false }),
        response: { 200: listOf<GatewayPaymentShape>("GatewayPayment", "a payment's ID") },
      },
    },
    async (request) => {
      const { ctx, tenant, params: path } = request;
      const { rows, ...page } = await listGatewayPayments(ctx, tenant, { order_id: path.id, ...cursorOf(readList(request.query)) });
      return showList({
        url: listUrl(tenant, `orders/${path.id}/gateway-payments`),
        data: rows.map((row) => gatewayPaymentView(ctx, row)),
        ...page,
      });
    },
  );
}
