import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startShopLoad } from "#test/support/load/shop-load.ts";
import { killAll, type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const dataDir = at("data");
const env = { BACKUP_DIR: at("backups"), BACKUP_NIGHTLY: "off", RATE_LIMIT_TEST: "1000000" };
const started: Program[] = [];
let server: Program;

async function start(given: Parameters<typeof startProgram>[0]): Promise<Program> {
  const program = await startProgram({ ...given, env: { ...env, ...given.env } });
  started.push(program);
  return program;
}

async function run(command: string[], of = dataDir): Promise<{ code: number | null; output: string }> {
  const program = await start({ dataDir: of, command });
  const { code } = await program.ended;
  return { code, output: program.output };
}

const backups = () =>
  readdirSync(env.BACKUP_DIR)
    .filter((name) => name.startsWith("2"))
    .sort();
const newest = () => join(env.BACKUP_DIR, backups().at(-1) ?? "");

beforeAll(async () => {
  server = await (await start({ dataDir })).ready();
});

afterAll(async () => {
  await server.stop();
  killAll(started);
  folder.remove();
});

it("backups under load contain everything that was acknowledged before each started, and pass the audits", async () => {
  const { project_id, api_key } = server.demo();
  const load = startShopLoad({ ports: [server.port], project_id, key: api_key });
  for (let round = 0; round < 3; round += 1) {
    await load.more(500);
    const before = [...load.acknowledged.values()];
    expect(await run(["backup"])).toMatchObject({ code: 0 });
    const into = at(`under-load-${round}`);
    expect(await run(["restore", newest(), "--into", into])).toMatchObject({ code: 0 });
    await copyFile(join(dataDir, "master-keys"), join(into, "master-keys"));
    const restored = await (await start({ dataDir: into, env: { WORKERS: "off" } })).ready();
    const headers = { authorization: `Bearer ${api_key}` };
    for (const id of before)
      expect((await fetch(`${restored.url}/api/v1/projects/${project_id}/orders/${id}`, { headers })).status).toBe(200);
    expect((await restored.stop()).code).toBe(0);
    const checked = await run(["doctor", "--ledger", "--audit"], into);
    expect(checked.output).toContain("every balance is the sum of its transfers");
    expect(checked.output).not.toContain("FAILED");
    rmSync(into, { recursive: true });
  }
  await load.stop();
  expect(load.unexpectedAnswers).toEqual([]);
});

it("a kill at any moment of a backup or a restore leaves something that the next run finishes", async () => {
  const moments = 12;
  expect((await run(["backup"])).code).toBe(0);
  const whole = newest();
  for (let moment = 0; moment < moments; moment += 1) {
    const count = backups().length;
    const backup = await start({ dataDir, command: ["backup"] });
    await sleep(150 + moment * 150);
    backup.kill("SIGKILL");
    await backup.ended;
    // One that was finished by then is whole.
    for (const name of backups().slice(count)) expect(statSync(join(env.BACKUP_DIR, name, "SHA256SUMS")).size).toBeGreaterThan(0);
    const into = at(`killed-${moment}`);
    const restore = await start({ dataDir: into, command: ["restore", whole, "--into", into] });
    await sleep(150 + moment * 150);
    restore.kill("SIGKILL");
    await restore.ended;
    const again = await run(["restore", whole, "--into", into]);
    // The whole of it may have been done by then.
    if (again.code !== 0) expect(again.output).toContain("is not empty (");
    await copyFile(join(dataDir, "master-keys"), join(into, "master-keys"));
    const restored = await (await start({ dataDir: into, env: { WORKERS: "off" } })).ready();
    expect((await restored.stop()).code).toBe(0);
    rmSync(into, { recursive: true });
  }
  expect((await run(["backup"])).code).toBe(0);
  expect(readdirSync(env.BACKUP_DIR).filter((name) => name.startsWith(".unfinished-"))).toEqual([]);
});

it("figures: two gigabytes, backed up while the server runs, restored and verified", async () => {
  const socket = new URL((JSON.parse(readFileSync(join(dataDir, "running.json"), "utf8")) as { owner_url: string }).owner_url);
  const admin = new pg.Client({
    host: socket.searchParams.get("host") ?? "",
    user: socket.username,
    password: decodeURIComponent(socket.password),
    database: "postgres",
  });
  await admin.connect();
  // Half of it as hard to compress as pictures are, half as easy as rows.
  await admin.query(
    "create table ballast as select n, gen_random_uuid() || repeat(n::text, 30) as filling from generate_series(1, 4500000) n",
  );
  await admin.end();
  const began = performance.now();
  const taken = await run(["backup"]);
  expect(taken.code).toBe(0);
  const verified = await run(["restore", "--verify", newest()]);
  expect(verified.code).toBe(0);
  process.stdout.write(`${taken.output}${verified.output}${((performance.now() - began) / 1000).toFixed(0)} s in all\n`);
});
