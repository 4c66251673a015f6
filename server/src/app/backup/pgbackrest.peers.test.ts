import { appendFileSync, chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { onServer } from "#test/support/database/postgres.ts";
import { DebianServer } from "#test/support/debian/debian-postgres.ts";
import { requirePrograms } from "#test/support/debian/debian-programs.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { eventually } from "#test/support/time/eventually.ts";

/** The recipe of the guide for a database of one's own, with the places of this test. */
const guide = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
const program = "/usr/bin/pgbackrest";
requirePrograms(program);

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const [first, second] = [new DebianServer(await freePort()), new DebianServer(await freePort())];
const config = at("pgbackrest.conf");
const started: Program[] = [];

afterAll(async () => {
  for (const one of started) await one.stop();
  await Promise.all([first.remove(), second.remove()]);
  folder.remove();
});

/** A block of the guide that has this text. */
function blockWith(text: string): string {
  const block = [...guide.matchAll(/^```(?:ini|text)\n([\s\S]*?)^```$/gm)]
    .map(([, inside = ""]) => inside)
    .find((inside) => inside.includes(text));
  if (block === undefined) throw new Error(`the guide has no block with ${text}`);
  return block;
}

/** The lines of a block, with the places of this test, and with other values of options. */
function linesOf(text: string, values: Readonly<Record<string, string>> = {}): string[] {
  const here = blockWith(text)
    .replaceAll("/var/lib/postgresql/15/main", first.data)
    .replaceAll("/var/lib/postgresql/15/restored", second.data)
    .replaceAll("/etc/postgresql/15/main", at("etc"))
    .replace(/(--[a-z0-9-]+)="[^"]*"/g, (all, name: string) => (values[name] === undefined ? all : `${name}="${values[name]}"`));
  return here.trimEnd().split("\n");
}

/** Types a line of the guide as the server's user. */
async function type(line: string): Promise<void> {
  const command = line.replace(/^sudo -u postgres /, "").replace(/^pgbackrest /, `${program} --config=${config} `);
  await first.run("/bin/sh", ["-ec", command]);
}

/** Types the line of the guide that has this text. */
async function follow(text: string): Promise<void> {
  await type(linesOf(text).find((line) => line.includes(text)) ?? "");
}

/** The file of the guide, with places of this test. */
function configure(): void {
  mkdirSync(at("backrest"), { mode: 0o777 });
  chmodSync(at("backrest"), 0o777);
  const own = ["log-path", "lock-path", "spool-path"].map((name) => `${name}=${at("backrest")}/${name}\n`).join("");
  const text = blockWith("[tillpost]")
    .replace(/^repo1-path=.*$/m, `repo1-path=${at("backrest")}/repo`)
    .replace(/^\[global\]\n/m, `$&${own}`)
    .replace(/^pg1-path=.*$/m, `pg1-path=${first.data}\npg1-port=${first.port}\npg1-socket-path=${at("backrest")}\npg1-user=postgres`);
  writeFileSync(config, text);
}

/** Moves the server's settings out of its data folder, to where Debian has them, and adds those of the guide. */
function moveSettings(): void {
  mkdirSync(at("etc"));
  for (const name of ["postgresql.conf", "pg_hba.conf", "pg_ident.conf"]) {
    copyFileSync(join(first.data, name), at(`etc/${name}`));
    chmodSync(at(`etc/${name}`), 0o644);
    rmSync(join(first.data, name));
  }
  const places = [`data_directory = '${first.data}'`, `hba_file = '${at("etc/pg_hba.conf")}'`, `ident_file = '${at("etc/pg_ident.conf")}'`];
  const running = [`external_pid_file = '${at("backrest/main.pid")}'`, `unix_socket_directories = '${at("backrest")}'`];
  const archiving = blockWith("archive_mode").replace("pgbackrest ", `pgbackrest --config=${config} `);
  appendFileSync(at("etc/postgresql.conf"), [...places, ...running, archiving].join("\n"));
}

/** What `systemctl start` does. */
const startFirst = () => first.start(`unix_socket_directories=${at("backrest")}`, `config_file=${at("etc/postgresql.conf")}`);

const isOver = (server: DebianServer) =>
  eventually("it is no standby any more", async () => {
    const { rows } = await onServer(server.url, (admin) => admin.query<{ is_over: boolean }>("select not pg_is_in_recovery() as is_over"));
    return rows[0]?.is_over === true;
  });

async function start(database: DebianServer, command: string[]): Promise<Program> {
  const env = { ...testEnvironment(database.url), LOG_LEVEL: "error", WORKERS: "off" };
  const one = await startProgram({ dataDir: at("data"), command, env });
  started.push(one);
  return one;
}

async function order(of: Program): Promise<string> {
  const { project_id, api_key } = of.demo();
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  const body = JSON.stringify({ amount_minor: 100, currency: "CNY" });
  const answer = await fetch(`${of.url}/api/v1/projects/${project_id}/orders`, { method: "POST", headers, body });
  return ((await answer.json()) as { id: string }).id;
}

async function statusOf(of: Program, id: string): Promise<number> {
  const { project_id, api_key } = of.demo();
  return (await fetch(`${of.url}/api/v1/projects/${project_id}/orders/${id}`, { headers: { authorization: `Bearer ${api_key}` } })).status;
}

/** What the server archives is written, as `archive_timeout` does within the minute. */
async function archiveAll(server: DebianServer): Promise<void> {
  await onServer(server.url, (admin) => admin.query("select pg_switch_wal()"));
  await eventually("it is archived", async () => {
    const { rows } = await onServer(server.url, (admin) =>
      admin.query<{ is_done: boolean }>(
        "select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 16 * 1024 * 1024) as is_done from pg_stat_archiver",
      ),
    );
    return rows[0]?.is_done === true;
  });
}

/** Three orders, and a fourth after the chosen second. */
async function makeOrders(): Promise<{ orders: string[]; chosen: string }> {
  const serving = await (await start(first, ["serve", "--demo"])).ready();
  const one = await order(serving);
  await follow("--type=full");
  const two = await order(serving);
  await follow("--type=incr");
  const three = await order(serving);
  const { rows } = await onServer(first.url, (admin) => admin.query<{ at: string }>("select clock_timestamp()::text as at"));
  const four = await order(serving);
  expect((await serving.stop()).code).toBe(0);
  await archiveAll(first);
  return { orders: [one, two, three, four], chosen: rows[0]?.at ?? "" };
}

/** The state of that second is there, and free of faults. */
async function expectChosen(server: DebianServer, orders: readonly string[]): Promise<void> {
  const restored = await (await start(server, ["serve"])).ready();
  expect(await Promise.all(orders.map((id) => statusOf(restored, id)))).toEqual([200, 200, 200, 404]);
  expect((await restored.stop()).code).toBe(0);
  const checked = await start(server, ["doctor", "--ledger", "--audit"]);
  await checked.ended;
  expect(checked.output).toContain("every balance is the sum of its transfers");
  expect(checked.output).not.toContain("FAILED");
}

test("a full backup, an incremental one, and the write-ahead log restore to a chosen second: beside the server, then in its place, where it archives again", async () => {
  await first.init();
  configure();
  moveSettings();
  await startFirst();
  await follow("stanza-create");
  await follow("--stanza=tillpost check");
  await (await start(first, ["migrate"])).ended;
  const { orders, chosen } = await makeOrders();

  // The first server still runs.
  const [restore = "", begin = ""] = linesOf("--pg1-path", { "--target": chosen });
  await type(restore);
  await second.start(...[...begin.matchAll(/ -c (?!port)(\S+)/g)].map(([, setting = ""]) => setting));
  await isOver(second);
  await expectChosen(second, orders);
  await second.kill();

  const [stop, move = "", make = "", put = "", again, ...more] = linesOf("main-before", { "--target": chosen });
  expect([stop, again, more]).toEqual(["systemctl stop postgresql@15-main", "systemctl start postgresql@15-main", []]);
  await first.kill();
  for (const line of [move, make, put]) await type(line);
  await startFirst();
  await isOver(first);
  await expectChosen(first, orders);
  // Waits until a segment of the write-ahead log is archived.
  await follow("--stanza=tillpost check");
  await follow("--type=full");
  await archiveAll(first);
});
