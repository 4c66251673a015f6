import { startWorkers } from "#workers/index.ts";
import type { Settings } from "../config.ts";
import { openSharedHouse } from "./open-shared-house.ts";
import { watchSignals } from "./watch-signals.ts";

export async function run(settings: Settings): Promise<number> {
  const signals = watchSignals();
  const house = await openSharedHouse(settings, "worker");
  const workers = startWorkers(house.ctx);
  house.log.info("background work started");
  await signals.first;
  await workers.stop();
  await house.close();
  house.log.info("stopped");
  return 0;
}
