import type { Settings } from "../config.ts";
import { closeServer, openServer } from "./process/open-server.ts";
import { openSharedHouse } from "./process/open-shared-house.ts";
import { watchSignals } from "./process/watch-signals.ts";

export async function run(settings: Settings): Promise<number> {
  const signals = watchSignals();
  const house = await openSharedHouse(settings, "api");
  try {
    const app = await openServer(house);
    house.log.info({ address: settings.PUBLIC_URL }, "serving");
    await signals.first;
    await closeServer(app, signals.second);
  } finally {
    await house.close();
  }
  house.log.info("stopped");
  return 0;
}
