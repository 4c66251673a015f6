import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "#platform/index.ts";
import { countSettledTogether } from "#test/support/load/kill.sql.ts";
import { faultsOfLoad, type ShopLoad, startShopLoad } from "#test/support/load/shop-load.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { databaseProcesses, killNow, type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";

/** Result of a run of kills. Every list contains violations. */
export interface KillReport {
  kills: number;
  acknowledged: number;
  paid: number;
  /** Unexpected responses while the program served. */
  unexpectedAnswers: string[];
  /** Acknowledged orders that are lost, duplicated, unpaid again, without their event or not booked. */
  faults: string[];
  /** Transactions that settled several payments. */
  settledTogether: number;
  doctor: { code: number; output: string };
  slowestStartMs: number;
}

interface KillRounds {
  kills: number;
  /** How many orders are acknowledged before each kill, on average. */
  ordersBetween: number;
  /** Whether the database dies with the program each time, and not only every second time. */
  withDatabase?: boolean;
}

const generous = { RATE_LIMIT_TEST: "1000000", RATE_LIMIT_BURST: "100000", LOG_LEVEL: "warn" };

/**
 * Serves, loads with orders and payments, kills after some of them (only the program, and the program with its database, in turn) and
 * starts again; then compares every response that a caller got with what is stored.
 */
export async function killRounds({ kills, ordersBetween, withDatabase = false }: KillRounds): Promise<KillReport> {
  const folder = temporaryFolder();
  const dataDir = await startedFolder(join(folder.path, "data"));
  const port = await freePort();
  const start = async () => (await startProgram({ dataDir, port, env: generous })).ready();
  let program = await start();
  const { project_id, api_key } = program.demo();
  const load = startShopLoad({ ports: [port], project_id, key: api_key });
  let slowestStartMs = 0;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await load.more(ordersBetween * (0.5 + Math.random())).catch((error: Error) => {
        throw new Error(`${error.message}\n${program.output.slice(-2_000)}`);
      });
      if (withDatabase || kill % 2 === 1) program.killEverything();
      else program.kill("SIGKILL");
      await program.ended;
      const startedAt = performance.now();
      program = await start();
      slowestStartMs = Math.max(slowestStartMs, performance.now() - startedAt);
    }
    await load.stop();
    const found = await compare(program, load);
    return {
      kills,
      acknowledged: load.acknowledged.size,
      paid: load.paid.size,
      unexpectedAnswers: load.unexpectedAnswers,
      ...found,
      doctor: await runHere({ dataDir, port, command: ["doctor", "--ledger"] }),
      slowestStartMs,
    };
  } finally {
    load.halt();
    await end(program);
    folder.remove();
  }
}

async function end(program: Program): Promise<void> {
  await program.stop();
  databaseProcesses(program.dataDir).forEach(killNow);
}

async function compare(program: Program, load: ShopLoad): Promise<Pick<KillReport, "faults" | "settledTogether">> {
  const { database_url } = JSON.parse(readFileSync(join(program.dataDir, "running.json"), "utf8")) as { database_url: string };
  const database = openDatabase({ url: database_url, max: 1 });
  try {
    const tenant = { project_id: program.demo().project_id, livemode: false };
    return { faults: await faultsOfLoad(database.db, tenant, load), settledTogether: await countSettledTogether(database.db, tenant) };
  } finally {
    await database.close();
  }
}
