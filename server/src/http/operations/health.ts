import type { FastifyPluginAsync } from "fastify";
import { AppError, platformErrors } from "#platform/index.ts";
import { findReadiness } from "./sql.ts";

/** Health checks need a quick response, and are repeated. */
const readyMsMax = 2_000;

/** /healthz: this process responds. /readyz: so does its database, and it wasn't asked to stop. */
export const healthRoutes: FastifyPluginAsync = async (app) => {
  app.get("/healthz", { schema: { hide: true } }, async () => ({ status: "ok" }));
  app.get("/readyz", { schema: { hide: true } }, async () => {
    if (app.runtime.draining === true)
      throw platformErrors.service_unavailable({ message: "This process is stopping. Send requests elsewhere." });
    try {
      const ready = await within(readyMsMax, findReadiness(app.runtime.ctx.db));
      if (ready === null) throw platformErrors.service_unavailable({ message: "The database isn't responding." });
      if (ready.isStandby) throw platformErrors.service_unavailable({ message: "The database is a standby and doesn't accept writes." });
      return { status: "ok", migrations: ready.migrations };
    } catch (error) {
      throw error instanceof AppError ? error : platformErrors.service_unavailable({ cause: error });
    }
  });
};

/** null: it took longer. The check still ends by its own limits, without effect. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  work.catch(() => {});
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
