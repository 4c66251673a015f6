import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { readSignedAsset } from "#assets/index.ts";
import { pathOf } from "#schemas/index.ts";

const picture = Type.String({ contentMediaType: "image/*", description: "The image." });

/** GET /assets/:id: a stored image, for anyone who has its signed address. */
export const publicAssetRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/assets/:id",
    {
      config: { scope: "public", errors: ["permission_denied", "resource_missing", "parameter_missing"] },
      schema: {
        operationId: "showAsset",
        tags: ["Assets"],
        summary: "Show an image",
        description: "The image itself. The address is an asset's `url` and works for 15 minutes.",
        params: pathOf("id"),
        querystring: Type.Object({
          expires: Type.String({ maxLength: 12, description: "When the address stops working." }),
          signature: Type.String({ maxLength: 64, description: "Proof that this server created the address." }),
        }),
        response: { 200: { description: "The image.", content: { "image/jpeg": { schema: picture }, "image/png": { schema: picture } } } },
      },
    },
    async (request, reply) => {
      const { bytes, headers } = await readSignedAsset(request.ctx, { id: request.params.id, ...request.query });
      return reply.headers(headers).send(bytes as never);
    },
  );
};
