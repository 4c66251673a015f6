import { startWorkers, tasksOf } from "#workers/index.ts";
import type { Settings } from "../config.ts";
import { openMail } from "../mail/index.ts";
import { openSharedHouse } from "./open-shared-house.ts";
import { watchSignals } from "./watch-signals.ts";

export async function run(settings: Settings): Promise<number> {
  const signals = watchSignals();
  const house = await openSharedHouse(settings, "worker");
  const mail = await openMail(house);
  const workers = startWorkers(house.ctx, undefined, tasksOf({ mail: mail.transport }));
  house.log.info("background work started");
  await signals.first;
  await Promise.all([workers.stop(), mail.stopListening()]);
  await mail.close();
  await house.close();
  house.log.info("stopped");
  return 0;
}
