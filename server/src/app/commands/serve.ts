import type { FastifyInstance } from "fastify";
import { watchEventLoop } from "#http/index.ts";
import { startWorkers, tasksOf, type Workers } from "#workers/index.ts";
import { measureBackups, startNightly } from "../backup/nightly/index.ts";
import { openShipping } from "../backup/wal/index.ts";
import type { Given } from "../command.ts";
import type { Settings } from "../config.ts";
import { closeDemo } from "../demo/close-demo.ts";
import { prepareDemo } from "../demo/prepare-demo.ts";
import { welcome } from "../demo/welcome.ts";
import { confirmMasterKeys } from "../master-keys/index.ts";
import { bringUpToDate } from "../migrations.ts";
import { anchorFile, clearFirstStart, createRuntime, makeLog, type Runtime } from "../runtime/index.ts";
import { countSettledPeople } from "../sql.ts";
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
  process.on("uncaughtException", (error) => fail(error, "unexpected error; stopping"));
  const runtime = await createRuntime(settings, {
    log,
    onDatabaseLost: (error) => fail(error, "the connection to the database was lost; stopping"),
  });
  try {
    await serveUntilStopped(runtime, given, signals);
  } finally {
    await runtime.close();
  }
  log.info("stopped; everything is saved");
  return code;
}

async function serveUntilStopped(runtime: Runtime, given: Given, signals: Signals): Promise<void> {
  const { settings } = runtime;
  const applied = await bringUpToDate(runtime);
  if (applied.length > 0) runtime.log.info({ applied: applied.length }, "database brought up to date");
  await runtime.clock.follow();
  await confirmMasterKeys(runtime.ctx);
  await runtime.followKeys("serve");
  const closed = await closeDemo(runtime);
  const demo = await prepareDemo(runtime, given.values["demo"] === true);
  const app = await openServer(runtime);
  const unwatch = watchEventLoop({ log: runtime.log, registry: app.metrics.registry });
  if (runtime.backupUrl !== null) measureBackups(app.metrics.registry, runtime);
  const transports = settings.WORKERS ? await openTransports(runtime, app.metrics.registry) : null;
  const anchors = anchorFile(settings.TILLPOST_DATA_DIR);
  const workers =
    transports === null ? null : startWorkers(runtime.ctx, observeRuns(app.metrics.registry), tasksOf({ ...transports.parts, anchors }));
  await runtime.dataFolder?.announce({
    pid: process.pid,
    started_at: runtime.ctx.now().toISOString(),
    address: settings.PUBLIC_URL,
    port: settings.PORT,
    database_url: runtime.databaseUrl,
    owner_url: runtime.ownerUrl,
    backup_url: runtime.backupUrl,
  });
  // The server runs already: what only changes its first words mustn't end it.
  const isEmpty = demo === null && (await countSettledPeople(runtime.ctx.db).catch(() => null)) === 0;
  process.stdout.write(welcome(settings, { demo, closed, isEmpty, isTerminal: process.stdout.isTTY }));
  if (runtime.dataFolder !== null && runtime.isFirstStart) await clearFirstStart(runtime.dataFolder);
  const shipping = await openShipping(runtime);
  const nightly = settings.BACKUP_NIGHTLY && runtime.backupUrl !== null ? startNightly(runtime) : null;
  await signals.wait();
  runtime.log.info("stopping");
  await stopAll({ app, settings, workers, transports }, signals);
  await nightly?.stop();
  // Last, so that it has everything written so far, but before the database ends, because that waits for replication clients.
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
