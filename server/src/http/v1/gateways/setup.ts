import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { callbackUrl, findSetup, listStraysOf } from "#gateways/index.ts";
import { type App, cursorOf, listOf, listQuery, listUrl, looking, many, pageErrors, readList, showList } from "#requests/index.ts";
import {
  callbackRefusals,
  type GatewaySetupShape,
  pathOf,
  type RefusedCallbackShape,
  refTo,
  showGatewaySetup,
  showRefusedCallback,
} from "#schemas/index.ts";

const tags = ["Gateways"];
const params = pathOf("projectId", "slug", "id");
const path = "/projects/:projectId/gateways/:slug/credentials/:id";

/** Problems of an account's setup, and its refused callbacks. */
export const gatewaySetupRoutes: FastifyPluginAsyncTypebox = async (app) => {
  setupRoute(app);
  refusedRoute(app);
};

function setupRoute(app: App): void {
  app.get(
    `${path}/setup`,
    {
      config: { scope: "session", roles: looking, errors: ["gateway_not_found", "resource_missing"] },
      schema: {
        operationId: "getGatewaySetup",
        tags,
        summary: "Test a gateway account's setup",
        description:
          "What works and what doesn't, based on the account's attempts and callbacks so far. For a current result for the credentials and clocks, call `POST …/check` first.",
        params,
        response: { 200: refTo<GatewaySetupShape>("GatewaySetup") },
      },
    },
    async ({ ctx, tenant, params: { slug, id } }) => {
      const setup = await findSetup(ctx, tenant, { gateway: slug, id });
      return showGatewaySetup(tenant, { ...setup, webhook_url: callbackUrl(ctx, { gateway: slug, id }) });
    },
  );
}

function refusedRoute(app: App): void {
  app.get(
    `${path}/refused-callbacks`,
    {
      config: { scope: "session", roles: looking, errors: ["resource_missing", ...pageErrors] },
      schema: {
        operationId: "listRefusedCallbacks",
        tags,
        summary: "List refused callbacks of a gateway account",
        description: "Requests to the account's callback address that were refused, with the reason. They changed nothing.",
        params,
        querystring: listQuery({
          created: false,
          more: { reason: many("Only callbacks refused for these reasons. Can be repeated.", { enum: [...callbackRefusals] }) },
        }),
        response: { 200: listOf<RefusedCallbackShape>("RefusedCallback", "a callback's ID") },
      },
    },
    async (request) => {
      const { slug, id } = request.params;
      const query = {
        gateway: slug,
        credential_id: id,
        ...cursorOf(readList(request.query)),
        reason: (request.query["reason"] as string[] | undefined) ?? null,
      };
      const { rows, ...page } = await listStraysOf(request.ctx, request.tenant, query);
      const url = listUrl(request.tenant, `gateways/${slug}/credentials/${id}/refused-callbacks`);
      return showList({ url, data: rows.map(showRefusedCallback), ...page });
    },
  );
}
