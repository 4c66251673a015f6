import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { listTransports } from "#messaging/index.ts";
import { refTo, showTransportHealth, type TransportHealthShape } from "#schemas/index.ts";

/** The transports of email, SMS and calls. */
export const transportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/transports",
    {
      config: { scope: "operator" },
      schema: {
        operationId: "getTransportHealth",
        tags: ["Operators"],
        summary: "Retrieve the transports",
        description:
          "Every transport with its state, its last error and its traffic in the last 30 minutes, and the queue of each channel.",
        response: { 200: refTo<TransportHealthShape>("TransportHealth") },
      },
    },
    async (request) => showTransportHealth(await listTransports(request.ctx)),
  );
};
