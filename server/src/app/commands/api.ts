import type { Settings } from "../config.ts";
import { watchEventLoop } from "../watchdog/index.ts";
import { closeServer, openServer } from "./process/open-server.ts";
import { openSharedHouse } from "./process/open-shared-house.ts";
import { watchSignals } from "./process/watch-signals.ts";

export async function run(settings: Settings): Promise<number> {
  const signals = watchSignals();
  const house = await openSharedHouse(settings, "api");
  try {
    const app = await openServer(house);
    const unwatch = watchEventLoop({ log: house.log, registry: app.metrics.registry });
    house.log.info({ address: settings.PUBLIC_URL }, "serving");
    await signals.first;
    await closeServer(app, settings, signals.second);
    await unwatch();
  } finally {
    await house.close();
  }
  house.log.info("stopped");
  return 0;
}
