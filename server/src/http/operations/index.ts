import type { FastifyPluginAsync } from "fastify";
import { documentRoutes } from "./documents.ts";
import { healthRoutes } from "./health.ts";
import { metricRoutes } from "./metrics.ts";

/** What operators and readers of the documentation ask for, outside the API. */
export const operations: FastifyPluginAsync = async (app) => {
  await app.register(healthRoutes);
  await app.register(metricRoutes);
  await app.register(documentRoutes);
};
