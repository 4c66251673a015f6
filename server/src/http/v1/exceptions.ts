import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { exceptionView } from "#orders/index.ts";
import { findExceptionOf, listExceptions, resolveException } from "#reconciliation/index.ts";
import { cursorOf, filtersOf, listOf, listQuery, listUrl, many, pageErrors, readList, showList } from "#requests/index.ts";
import { type ExceptionShape, exceptionKinds, pathOf, readResolution, refTo, resolutionIn } from "#schemas/index.ts";

export const exceptionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const route of [listRoute, getRoute, resolveRoute]) await app.register(route);
};

const listRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/exceptions",
    {
      config: { scope: "payments:read", errors: pageErrors },
      schema: {
        operationId: "listExceptions",
        tags: ["Exceptions"],
        summary: "List exceptions",
        description: "Money that doesn't match an open order: exceptions that need a decision, and those that had one.",
        params: pathOf("projectId"),
        querystring: listQuery({
          status: ["open", "resolved"],
          gateway: true,
          currency: true,
          more: {
            kind: many("Only these kinds. Can be repeated.", { enum: [...exceptionKinds] }),
            order_id: Type.Optional(Type.String({ maxLength: 40, description: "Only those of this order." })),
          },
        }),
        response: { 200: listOf<ExceptionShape>("PaymentException", "an exception's ID") },
      },
    },
    async (request) => {
      const query = readList(request.query);
      const kind = request.query.kind as string[] | undefined;
      const order_id = request.query.order_id as string | undefined;
      const filters = { ...filtersOf(query), ...(kind === undefined ? {} : { kind }), ...(order_id === undefined ? {} : { order_id }) };
      const { rows, ...page } = await listExceptions(request.ctx, request.tenant, { ...cursorOf(query), filters });
      return showList({ url: listUrl(request.tenant, "exceptions"), data: rows.map(exceptionView), ...page });
    },
  );
};

const getRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/exceptions/:id",
    {
      config: { scope: "payments:read", errors: ["resource_missing"] },
      schema: {
        operationId: "getException",
        tags: ["Exceptions"],
        summary: "Retrieve an exception",
        params: pathOf("projectId", "id"),
        response: { 200: refTo<ExceptionShape>("PaymentException") },
      },
    },
    async (request) => exceptionView(await findExceptionOf(request.ctx, request.tenant, request.params.id)),
  );
};

const resolveRoute: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    "/projects/:projectId/exceptions/:id/resolve",
    {
      config: {
        scope: "reviews:write",
        errors: [
          "resource_missing",
          "review_exists",
          "order_state_conflict",
          "shortfall_unconfirmed",
          "reference_exists",
          "parameter_conflict",
          "amount_out_of_range",
          "card_number_refused",
          "gateway_not_configured",
          "gateway_error",
        ],
      },
      schema: {
        operationId: "resolveException",
        tags: ["Exceptions"],
        summary: "Resolve an exception",
        params: pathOf("projectId", "id"),
        body: resolutionIn,
        response: { 200: refTo<ExceptionShape>("PaymentException") },
      },
    },
    async (request) => {
      const input = { exception_id: request.params.id, ...readResolution(request.body) };
      return exceptionView(await resolveException(request.ctx, request.tenant, input));
    },
  );
};
