import { watchEventLoop } from "#http/index.ts";
import { startWorkers, tasksOf } from "#workers/index.ts";
import type { Settings } from "../config.ts";
import { anchorFile, type Runtime } from "../runtime/index.ts";
import { createSharedRuntime } from "./process/create-shared-runtime.ts";
import { observeRuns } from "./process/observe-runs.ts";
import { closeServer, openWorkerServer } from "./process/open-server.ts";
import { openTransports } from "./process/open-transports.ts";
import { stopWork } from "./process/stop-work.ts";
import { type Signals, watchSignals } from "./process/watch-signals.ts";

export async function run(settings: Settings): Promise<number> {
  const signals = watchSignals();
  const runtime = await createSharedRuntime(settings, "worker");
  try {
    await workUntilStopped(runtime, signals);
  } finally {
    await runtime.close();
  }
  runtime.log.info("stopped");
  return 0;
}

async function workUntilStopped(runtime: Runtime, signals: Signals): Promise<void> {
  const app = await openWorkerServer(runtime);
  const unwatch = watchEventLoop({ log: runtime.log, registry: app?.metrics.registry });
  const transports = await openTransports(runtime, app?.metrics.registry);
  const workers = startWorkers(
    runtime.ctx,
    app === null ? undefined : observeRuns(app.metrics.registry),
    tasksOf({ ...transports.parts, anchors: anchorFile(runtime.settings.TILLPOST_DATA_DIR) }),
  );
  runtime.log.info("background work started");
  await signals.wait();
  // A worker serves no requests, so there is nothing to drain.
  await Promise.all([
    stopWork({ workers, mail: transports.mail }, signals.second),
    app === null ? undefined : closeServer(app, { DRAIN_SECONDS: 0 }, signals.second),
  ]);
  await unwatch();
  await transports.close();
}
