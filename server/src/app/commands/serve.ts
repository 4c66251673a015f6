import type { FastifyInstance } from "fastify";
import { migrate } from "#platform/index.ts";
import { startWorkers, tasksOf, type Workers } from "#workers/index.ts";
import type { Settings } from "../config.ts";
import { prepareDemo } from "../demo/prepare-demo.ts";
import { welcome } from "../demo/welcome.ts";
import { forgetFirstStart, type House, makeLog, openHouse } from "../house/index.ts";
import { type Mail, openMail } from "../mail/index.ts";
import { migrationsFolder } from "../migrations.ts";
import type { Given } from "./command.ts";
import { logOptions } from "./process/log-options.ts";
import { observeRuns } from "./process/observe-runs.ts";
import { closeServer, openServer } from "./process/open-server.ts";
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
  const applied = await migrate(house.databaseUrl, migrationsFolder);
  if (applied.length > 0) house.log.info({ applied: applied.length }, "database brought up to date");
  const demo = await prepareDemo(house, given.values["demo"] === true);
  const app = await openServer(house);
  const mail = settings.WORKERS ? await openMail(house) : null;
  const workers = mail === null ? null : startWorkers(house.ctx, observeRuns(app.metrics.registry), tasksOf({ mail: mail.transport }));
  await house.home?.announce({ pid: process.pid, started_at: house.ctx.now().toISOString(), address: settings.PUBLIC_URL, database_url: house.databaseUrl });
  process.stdout.write(welcome(settings, demo));
  if (house.home !== null && house.isFirstStart) await forgetFirstStart(house.home);
  await signals.first;
  house.log.info("stopping");
  await stopAll({ app, workers, mail }, signals);
}

async function stopAll({ app, workers, mail }: { app: FastifyInstance; workers: Workers | null; mail: Mail | null }, signals: Signals): Promise<void> {
  const background = Promise.all([workers?.stop(), mail?.stopListening()]);
  await Promise.all([closeServer(app, signals.second), Promise.race([background, signals.second])]);
  await mail?.close();
}
