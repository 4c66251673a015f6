import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { readSignedRecording } from "#calls/index.ts";
import { createAnswerRoom } from "#requests/index.ts";
import { pathOf } from "#schemas/index.ts";

const sound = {
  description: "The recording.",
  content: { "audio/wav": { schema: Type.String({ contentMediaType: "audio/wav", description: "The recording." }) } },
};

/** GET /recordings/:id: a call's recording, for anyone who has its signed address. */
export const publicRecordingRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const takeRoom = createAnswerRoom(app.runtime.settings);
  app.get(
    "/recordings/:id",
    {
      config: {
        scope: "public",
        linkLimit: "address",
        errors: ["permission_denied", "resource_missing", "parameter_missing", "concurrency_limited"],
      },
      schema: {
        operationId: "playRecording",
        tags: ["Calls"],
        summary: "Play a recording",
        description: "The recording itself. The address is a recording's `url` and works for 15 minutes.",
        params: pathOf("id"),
        querystring: Type.Object({
          expires: Type.String({ maxLength: 12, description: "When the address stops working." }),
          signature: Type.String({ maxLength: 64, description: "Proof that this server created the address." }),
        }),
        response: { 200: sound },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { bytes, headers } = await readSignedRecording(request.ctx, { id, ...request.query, room: (load) => takeRoom(reply, load) });
      return reply.headers(headers).send(bytes as never);
    },
  );
};
