import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { killAll, type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { ordersIn } from "#test/support/programs/stopped-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { makeIdentity } from "../archive/make-identity.ts";

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const dataDir = at("data");
const backups = at("backups");
const keyFile = at("backup-key");
await makeIdentity(keyFile);
const env = {
  BACKUP_DIR: backups,
  BACKUP_RECIPIENT: /age1\w+/.exec(readFileSync(keyFile, "utf8"))?.[0] ?? "",
  DISK_RESERVE_MB: "32",
  BACKUP_NIGHTLY: "off",
  METRICS_TOKEN: "a-token-of-the-test",
};
const started: Program[] = [];

afterAll(() => {
  killAll(started);
  folder.remove();
});

async function serve(dataDir: string, own: Record<string, string>): Promise<Program> {
  const program = await startProgram({ dataDir, env: { ...env, ...own } });
  started.push(program);
  return program.ready();
}

const run = (command: string[]) => runHere({ dataDir, command, env });

interface Order {
  id: string;
  created_at: string;
}

let demo: { project_id: string; api_key: string };
const headers = () => ({ authorization: `Bearer ${demo.api_key}`, "content-type": "application/json" });
const orders = (program: Program) => `${program.url}/api/v1/projects/${demo.project_id}/orders`;

async function order(program: Program): Promise<Order> {
  const answer = await fetch(orders(program), {
    method: "POST",
    headers: headers(),
    body: JSON.stringify({ amount_minor: 100, currency: "CNY" }),
  });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Order;
}

const statusOf = async (program: Program, { id }: Order) => (await fetch(`${orders(program)}/${id}`, { headers: headers() })).status;

const restore = (until: string, ...how: string[]) => {
  const [backup = ""] = readdirSync(backups).filter((one) => one.startsWith("2"));
  return run(["restore", join(backups, backup), "--identity", keyFile, "--at", until, ...how]);
};
const restored = (name: string, until: string) => restore(until, "--into", at(name));

/** Puts the master keys into a restored folder. */
function takeKeys(name: string): string {
  copyFileSync(join(dataDir, "master-keys"), join(at(name), "master-keys"));
  return at(name);
}

/** The shipped pieces of the write-ahead log, once their folder exists. */
function pieces(): string[] {
  const wal = join(backups, "wal");
  const [systemId] = existsSync(wal) ? readdirSync(wal) : [];
  return systemId === undefined
    ? []
    : readdirSync(join(wal, systemId))
        .filter((name) => !name.startsWith("."))
        .map((name) => join(wal, systemId, name));
}

it("a backup and the write-ahead log since then restore to a chosen time, across a kill and a restart", async () => {
  const first = await serve(await startedFolder(dataDir), { BACKUP_WAL: "on" });
  demo = first.demo();
  expect(await run(["backup"])).toMatchObject({ code: 0 });
  const before = await order(first);
  await eventually("the write-ahead log is shipped", () => pieces().length > 0, { everyMs: 50 });
  const metrics = await fetch(`${first.url}/metrics`, { headers: { authorization: `Bearer ${env.METRICS_TOKEN}` } });
  expect(await metrics.text()).toMatch(/^tillpost_backup_wal_behind_bytes \d/m);
  first.killEverything();
  await first.ended;
  const second = await serve(dataDir, { BACKUP_WAL: "on" });
  const later = await order(second);
  const last = await order(second);
  expect((await second.stop()).code).toBe(0);

  const verified = await restore(last.created_at, "--verify");
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining("This backup restores.") });
  expect(verified.output).toMatch(/every audit row is chained to the one before \([1-9]/);
  expect(await restored("chosen", last.created_at)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`as it was at ${last.created_at}`),
  });
  const chosen = await serve(takeKeys("chosen"), {});
  expect([await statusOf(chosen, before), await statusOf(chosen, later), await statusOf(chosen, last)]).toEqual([200, 200, 404]);
  // It runs independently, and retains no write-ahead log.
  await order(chosen);
  expect((await chosen.stop()).code).toBe(0);

  expect(await restored("latest", "latest")).toMatchObject({ code: 0 });
  expect(await ordersIn(takeKeys("latest"))).toContain(last.id);
});

it("a time that can't be reached, and a damaged write-ahead log, are refused with an explanation", async () => {
  expect(await restored("never", "2020-01-01T00:00:00Z")).toMatchObject({
    code: 1,
    output: expect.stringContaining("Restore an earlier backup."),
  });
  expect(await restored("never", "tomorrow")).toMatchObject({
    code: 1,
    output: expect.stringContaining("--at takes a time with its time zone"),
  });
  expect(await restored("beyond", "2999-01-01T00:00:00Z")).toMatchObject({
    code: 1,
    output: expect.stringContaining("doesn't reach 2999-01-01T00:00:00.000Z"),
  });
  const [damaged = ""] = pieces().slice(-1);
  const bytes = readFileSync(damaged);
  bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
  writeFileSync(damaged, bytes);
  expect(await restored("never", "latest")).toMatchObject({ code: 1, output: expect.stringContaining(`${damaged} is damaged`) });
  expect(existsSync(at("never"))).toBe(false);
});
