import type { FastifyInstance } from "fastify";
import { startWorkers, tasksOf, type Workers } from "#workers/index.ts";
import { measureBackups, startNightly } from "../backup/nightly/index.ts";
import { openShipping } from "../backup/wal/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { closeDemo } from "../demo/close-demo.ts";
import { prepareDemo } from "../demo/prepare-demo.ts";
import { welcome } from "../demo/welcome.ts";
import { anchorFile, forgetFirstStart, type House, makeLog, openHouse } from "../house/index.ts";
import { confirmMasterKeys } from "../master-keys/index.ts";
import { bringUpToDate } from "../migrations.ts";
import { countSettledPeople } from "../sql.ts";
import { watchEventLoop } from "../watchdog/index.ts";
import { logOptions } from "./process/log-options.ts";
import { observeRuns } from "./process/observe-runs.ts";
import { closeServer, openServer } from "./process/open-server.ts";
import { openTransports, type Transports } from "./process/open-transports.ts";
import { stopWork } from "./process/stop-work.ts";
import { type Signals, watchSignals } from "./process/watch-signals.ts";

export async function run(settings: Settings, given: Given): Promise<number> {
  const signals = watchSignals();
  const log = makeLog(logOptions(settings));
  let code = 0;
  const fail = (error: unknown, message: string) => {
    log.fatal({ err: error }, message);
    code = 1;
    signals.stop();
  };
  process.on("uncaughtException", (error) => fail(error, "a fault that nothing handled; stopping"));
  const house = await openHouse(settings, { log, onDatabaseLost: (error) => fail(error, "the database is lost; stopping") });
  try {
    await serveUntilStopped(house, given, signals);
  } finally {
    await house.close();
  }
  log.info("stopped; everything is saved");
  return code;
}

async function serveUntilStopped(house: House, given: Given, signals: Signals): Promise<void> {
  const { settings } = house;
  const applied = await bringUpToDate(house);
  if (applied.length > 0) house.log.info({ applied: applied.length }, "database brought up to date");
  await house.clock.follow();
  await confirmMasterKeys(house.ctx);
  await house.followKeys("serve");
  const closed = await closeDemo(house);
  const demo = await prepareDemo(house, given.values["demo"] === true);
  const app = await openServer(house);
  const unwatch = watchEventLoop({ log: house.log, registry: app.metrics.registry });
  if (house.backupUrl !== null) measureBackups(app.metrics.registry, house);
  const transports = settings.WORKERS ? await openTransports(house, app.metrics.registry) : null;
  const anchors = anchorFile(settings.TILLPOST_DATA_DIR);
  const workers = transports === null ? null : startWorkers(house.ctx, observeRuns(app.metrics.registry), tasksOf({ ...transports.parts, anchors }));
  await house.home?.announce({
    pid: process.pid,
    started_at: house.ctx.now().toISOString(),
    address: settings.PUBLIC_URL,
    port: settings.PORT,
    database_url: house.databaseUrl,
    owner_url: house.ownerUrl,
    backup_url: house.backupUrl,
  });
  const isEmpty = demo === null && (await countSettledPeople(house.ctx.db)) === 0;
  process.stdout.write(welcome(settings, { demo, closed, isEmpty, isTerminal: process.stdout.isTTY }));
  if (house.home !== null && house.isFirstStart) await forgetFirstStart(house.home);
  const shipping = await openShipping(house);
  const nightly = settings.BACKUP_NIGHTLY && house.backupUrl !== null ? startNightly(house) : null;
  await signals.first;
  house.log.info("stopping");
  await stopAll({ app, settings, workers, transports }, signals);
  await nightly?.stop();
  // Last, with everything written so far, but before the database ends, because it waits for replication clients.
  await shipping?.stop();
  await unwatch();
}

interface Running {
  app: FastifyInstance;
  settings: Settings;
  workers: Workers | null;
  transports: Transports | null;
}

async function stopAll({ app, settings, workers, transports }: Running, signals: Signals): Promise<void> {
  await Promise.all([closeServer(app, settings, signals.second), stopWork({ workers, mail: transports?.mail ?? null }, signals.second)]);
  await transports?.close();
}
