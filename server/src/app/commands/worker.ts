import { startWorkers, tasksOf } from "#workers/index.ts";
import type { Settings } from "../config.ts";
import type { House } from "../house/index.ts";
import { openMail } from "../mail/index.ts";
import { observeRuns } from "./process/observe-runs.ts";
import { closeServer, openWorkerServer } from "./process/open-server.ts";
import { openSharedHouse } from "./process/open-shared-house.ts";
import { type Signals, watchSignals } from "./process/watch-signals.ts";

export async function run(settings: Settings): Promise<number> {
  const signals = watchSignals();
  const house = await openSharedHouse(settings, "worker");
  try {
    await workUntilStopped(house, signals);
  } finally {
    await house.close();
  }
  house.log.info("stopped");
  return 0;
}

async function workUntilStopped(house: House, signals: Signals): Promise<void> {
  const app = await openWorkerServer(house);
  const mail = await openMail(house);
  const workers = startWorkers(house.ctx, app === null ? undefined : observeRuns(app.metrics.registry), tasksOf({ mail: mail.transport }));
  house.log.info("background work started");
  await signals.first;
  await Promise.all([workers.stop(), mail.stopListening(), app === null ? undefined : closeServer(app, signals.second)]);
  await mail.close();
}
