import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestApp } from "#test/support/app/test-app.ts";
import { loadedEnvironment } from "#test/support/app/test-environment.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { certificate } from "#test/support/network/certificate.ts";
import { type Receiver, startReceiver } from "#test/support/network/receiver.ts";
import { type Program, startProgram } from "#test/support/programs/program.ts";
import { countJobs } from "#test/support/queues/queues.sql.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { endpointAt } from "#test/support/webhooks/webhook-world.ts";
import { deliveryQueue } from "#webhooks/index.ts";
import { emitPoison } from "./poison-job.ts";

/** The outcome, as an operator sees it, of a delivery that kills each `worker`. */
export interface PoisonedProgramReport {
  killed: number;
  /** How many of the others arrived, and how many arrived more than once. */
  others: number;
  repeated: number;
  /** Emails to the operators about it. */
  notices: number;
  /** Identifies the delivery. */
  poison: string;
  /** What `queues list` prints, and `queues release` once the cause is gone. */
  listed: string;
  released: string;
  /** How often the delivery arrived after its release. */
  received: number;
}

interface Scene {
  app: TestApp;
  receiver: Receiver;
  /** How often each event arrived and was taken. */
  received: Map<string, number>;
  start(...command: string[]): Promise<Program>;
  worker: Program | undefined;
  killed: number;
  isDeadly: boolean;
}

const withinMs = 900_000;

/** Runs the real `worker` on deliveries. It is killed the moment its request for one of them arrives, and the next one is started. */
export async function poisonedProgram(app: TestApp, others: number): Promise<PoisonedProgramReport> {
  app.clock.run();
  const folder = mkdtempSync(join(tmpdir(), "tillpost-poisoned-"));
  writeFileSync(join(folder, "ca.pem"), (await certificate()).cert);
  const env = loadedEnvironment(app.url, folder);
  const start: Scene["start"] = (...command) => startProgram({ dataDir: join(folder, "data"), env, command });
  const received: Scene["received"] = new Map();
  const receiver = await startReceiver(
    ({ headers, body }, response) => {
      if (scene.isDeadly && body.includes('"poison"')) return void scene.worker?.kill("SIGKILL");
      const id = headers["webhook-id"] ?? "";
      received.set(id, (received.get(id) ?? 0) + 1);
      response.end("ok");
    },
    { keep: false },
  );
  const scene: Scene = { app, receiver, received, start, worker: undefined, killed: 0, isDeadly: true };
  try {
    return await play(scene, others);
  } finally {
    scene.worker?.kill("SIGKILL");
    await scene.worker?.ended;
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function play(scene: Scene, others: number): Promise<PoisonedProgramReport> {
  const { ctx } = scene.app;
  const tenant = await scene.app.tenant();
  const { id: endpoint } = await endpointAt(ctx, tenant, scene.receiver.url);
  const event = (await emitPoison(ctx, tenant, others)) ?? "";
  const isOver = async () => (await countJobs(ctx.db, deliveryQueue)).open === 0;
  await workUntil(scene, "every delivery was taken or is set aside", isOver);
  const counts = [...scene.received.values()];
  const [notices] = await runStatement<{ count: number }>(
    ctx.db,
    "select count(*)::int as count from notices where kind = 'job_set_aside'",
  );
  const poison = `${endpoint}/${event}`;
  const [listed, { killed }] = [await outputOf(scene, "queues", "list"), scene];
  scene.isDeadly = false;
  const released = await outputOf(scene, "queues", "release", deliveryQueue.name, poison);
  await workUntil(scene, "the released delivery was taken", () => scene.received.has(event));
  const repeated = counts.filter((count) => count > 1).length;
  return {
    killed,
    others: counts.length,
    repeated,
    notices: notices?.count ?? 0,
    poison,
    listed,
    released,
    received: scene.received.get(event) ?? 0,
  };
}

/** Runs one worker after another until the condition is true. */
async function workUntil(scene: Scene, what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const isAlive = async () => {
    const ended = scene.worker === undefined ? null : await Promise.race([scene.worker.ended, null]);
    if (ended?.signal === "SIGKILL") scene.killed += 1;
    else if (ended !== null) throw new Error(`a worker ended by itself:\n${scene.worker?.output}`);
    if (ended !== null || scene.worker === undefined) scene.worker = await scene.start("worker");
    return await holds();
  };
  await eventually(() => `${what}; ${scene.received.size} events came`, isAlive, { everyMs: 50, withinMs });
}

async function outputOf(scene: Scene, ...command: string[]): Promise<string> {
  const program = await scene.start(...command);
  await program.ended;
  return program.output;
}
