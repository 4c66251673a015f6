import { AppError, type Ctx } from "#platform/index.ts";
import type { Settings } from "../../config.ts";
import type { House } from "../../house/index.ts";
import { openHouseBeside } from "./open-shared-house.ts";

/** Runs a short command over the database, beside a running server or alone, and prints what it answers. What the rules refuse is a sentence. */
export async function runBeside(settings: Settings, act: (ctx: Ctx, house: House) => Promise<string>): Promise<number> {
  const house = await openHouseBeside(settings);
  try {
    process.stdout.write(`${await act({ ...house.ctx, actor: { kind: "system", id: "command line" } }, house)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new Error([error.message, ...(error.extras.details ?? []).map(({ param, message }) => `  ${param}: ${message}`)].join("\n"), { cause: error });
  } finally {
    await house.close();
  }
}
