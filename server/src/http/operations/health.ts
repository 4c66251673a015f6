import type { FastifyPluginAsync } from "fastify";
import { platformErrors } from "#platform/index.ts";
import { countMigrations } from "./sql.ts";

/** /healthz: this process answers. /readyz: so does its database, and it was not asked to stop. */
export const healthRoutes: FastifyPluginAsync = async (app) => {
  app.get("/healthz", { schema: { hide: true } }, async () => ({ status: "ok" }));
  app.get("/readyz", { schema: { hide: true } }, async () => {
    if (app.house.draining === true) throw platformErrors.service_unavailable({ message: "This process is stopping. Send requests elsewhere." });
    try {
      return { status: "ok", migrations: await countMigrations(app.house.ctx.db) };
    } catch (error) {
      throw platformErrors.service_unavailable({ cause: error });
    }
  });
};
