import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { listTransports } from "#messaging/index.ts";
import { refTo, showTransportHealth, type TransportHealthShape } from "#schemas/index.ts";

/** How mail, text messages and calls leave the installation. */
export const transportRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    "/transports",
    {
      config: { scope: "operator" },
      schema: {
        operationId: "getTransportHealth",
        tags: ["Operators"],
        summary: "How messages and calls leave",
        description: "Every way out with its state, its last error and what went out by it in the last half hour, and what waits in each channel.",
        response: { 200: refTo<TransportHealthShape>("TransportHealth") },
      },
    },
    async (request) => showTransportHealth(await listTransports(request.ctx)),
  );
};
