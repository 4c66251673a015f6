import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { createMetrics, limitWaits, replyWithErrors } from "#requests/index.ts";
import { documentRoutes } from "./documents.ts";
import { healthRoutes } from "./health.ts";
import { metricRoutes } from "./metrics.ts";

/** Routes for operators and readers of the documentation, outside the API. */
export const operations: FastifyPluginAsync = async (app) => {
  await app.register(healthRoutes);
  await app.register(metricRoutes);
  await app.register(documentRoutes);
};

/** For a process that only serves operators: health and metrics, without the API. `runtime` must be decorated before. */
export async function installOperations(app: FastifyInstance): Promise<void> {
  app.decorate("metrics", createMetrics());
  limitWaits(app);
  replyWithErrors(app);
  app.setNotFoundHandler(() => {
    throw platformErrors.route_missing();
  });
  await app.register(healthRoutes);
  await app.register(metricRoutes);
}
