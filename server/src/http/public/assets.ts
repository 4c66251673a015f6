import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { readSignedAsset } from "#assets/index.ts";
import type { TakeRoom } from "#requests/index.ts";
import { pathOf } from "#schemas/index.ts";

const picture = Type.String({ contentMediaType: "image/*", description: "The image." });
const image = { description: "The image.", content: { "image/jpeg": { schema: picture }, "image/png": { schema: picture } } };

/** GET /assets/:id: a stored image, for anyone who has its signed address. `takeRoom` is shared by all that sends images. */
export function publicAssetRoutes(takeRoom: TakeRoom): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      "/assets/:id",
      {
        config: {
          scope: "public",
          linkLimit: "address",
          errors: ["permission_denied", "resource_missing", "parameter_missing", "concurrency_limited"],
        },
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
          response: { 200: image },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const { bytes, headers } = await readSignedAsset(request.ctx, { id, ...request.query, room: (load) => takeRoom(reply, load) });
        return reply.headers(headers).send(bytes as never);
      },
    );
  };
}
