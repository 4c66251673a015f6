import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { listGatewayAttempts } from "#gateways/index.ts";
import { cursorOf, listOf, listQuery, listUrl, looking, many, pageErrors, readList, showList } from "#requests/index.ts";
import { attemptOutcomes, attemptVerbs, type GatewayAttemptShape, pathOf, showGatewayAttempt } from "#schemas/index.ts";

/** The record of requests to providers, and their responses. */
export const gatewayAttemptRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/projects/:projectId/gateways/:slug/credentials/:id/attempts",
    {
      config: { scope: "session", roles: looking, errors: ["resource_missing", ...pageErrors] },
      schema: {
        operationId: "listGatewayAttempts",
        tags: ["Gateways"],
        summary: "List calls of a gateway account",
        description: "Every call to the provider, without secrets, headers or bodies. Kept for 30 days.",
        params: pathOf("projectId", "slug", "id"),
        querystring: listQuery({
          created: false,
          reference: true,
          more: {
            outcome: many("Only attempts with these outcomes. Can be repeated.", { enum: [...attemptOutcomes] }),
            verb: many("Only attempts of these kinds; the kinds for refunds are reserved. Can be repeated.", { enum: [...attemptVerbs] }),
          },
        }),
        response: { 200: listOf<GatewayAttemptShape>("GatewayAttempt", "an attempt's ID") },
      },
    },
    async (request) => {
      const { slug, id } = request.params;
      const query = readList(request.query);
      const named = (name: string) => (request.query[name] as string[] | undefined) ?? null;
      const { rows, ...page } = await listGatewayAttempts(request.ctx, request.tenant, {
        ...{ gateway: slug, credential_id: id, ...cursorOf(query), outcome: named("outcome"), verb: named("verb") },
        reference: query.reference.length === 0 ? null : query.reference,
      });
      return showList({
        url: listUrl(request.tenant, `gateways/${slug}/credentials/${id}/attempts`),
        data: rows.map(showGatewayAttempt),
        ...page,
      });
    },
  );
};
