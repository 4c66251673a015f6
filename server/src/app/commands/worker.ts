import { startWorkers, tasksOf } from "#workers/index.ts";
import type { Settings } from "../config.ts";
import { anchorFile, type House } from "../house/index.ts";
import { watchEventLoop } from "../watchdog/index.ts";
import { observeRuns } from "./process/observe-runs.ts";
import { closeServer, openWorkerServer } from "./process/open-server.ts";
import { openSharedHouse } from "./process/open-shared-house.ts";
import { openTransports } from "./process/open-transports.ts";
import { stopWork } from "./process/stop-work.ts";
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
  const unwatch = watchEventLoop({ log: house.log, registry: app?.metrics.registry });
  const transports = await openTransports(house, app?.metrics.registry);
  const workers = startWorkers(
    house.ctx,
    app === null ? undefined : observeRuns(app.metrics.registry),
    tasksOf({ ...transports.parts, anchors: anchorFile(house.settings.TILLPOST_DATA_DIR) }),
  );
  house.log.info("background work started");
  await signals.first;
  // A worker serves no requests, so there is nothing to drain.
  await Promise.all([
    stopWork({ workers, mail: transports.mail }, signals.second),
    app === null ? undefined : closeServer(app, { DRAIN_SECONDS: 0 }, signals.second),
  ]);
  await unwatch();
  await transports.close();
}
