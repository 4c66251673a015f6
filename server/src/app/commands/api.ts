import { watchEventLoop } from "#http/index.ts";
import type { Settings } from "../config.ts";
import { createSharedRuntime } from "./process/create-shared-runtime.ts";
import { closeServer, openServer } from "./process/open-server.ts";
import { watchSignals } from "./process/watch-signals.ts";

export async function run(settings: Settings): Promise<number> {
  const signals = watchSignals();
  const runtime = await createSharedRuntime(settings, "api");
  try {
    const app = await openServer(runtime);
    const unwatch = watchEventLoop({ log: runtime.log, registry: app.metrics.registry });
    runtime.log.info({ address: settings.PUBLIC_URL }, "serving");
    await signals.wait();
    await closeServer(app, settings, signals.second);
    await unwatch();
  } finally {
    await runtime.close();
  }
  runtime.log.info("stopped");
  return 0;
}
