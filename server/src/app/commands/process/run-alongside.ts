import { AppError, type Ctx } from "#platform/index.ts";
import type { Settings } from "../../config.ts";
import type { Runtime } from "../../runtime/index.ts";
import { createRuntimeAlongside } from "./create-shared-runtime.ts";

/**
 * Runs a short command over the database, alongside a running server or without one, and prints its result. Refusals are printed as
 * sentences.
 */
export async function runAlongside(settings: Settings, work: (ctx: Ctx, runtime: Runtime) => Promise<string>): Promise<number> {
  const runtime = await createRuntimeAlongside(settings);
  try {
    process.stdout.write(`${await work({ ...runtime.ctx, actor: { kind: "system", id: "command line" } }, runtime)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Error([error.message, ...(error.extras.details ?? []).map(({ param, message }) => `  ${param}: ${message}`)].join("\n"), {
      cause: error,
    });
  } finally {
    await runtime.close();
  }
}
