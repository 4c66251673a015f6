import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

/** Runs a command of the guide, with other values of its options. */
async function follow(text: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
  const line = blockWith(text)
    .split("\n")
    .find((one) => one.includes(text));
  const [, command = ""] = /^sudo -u postgres pgbackrest (.*?)(?: +#.*)?$/.exec(line ?? "") ?? [];
  const words = (command.match(/--[a-z0-9-]+="[^"]*"|\S+/g) ?? []).map((word) => {
    const [name = ""] = word.split("=");
    return values[name] === undefined ? word : `${name}=${values[name]}`;
  });
  await first.run(program, [`--config=${config}`, ...words]);
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

/** The server's settings of the guide. */
const archiving = () =>
  [...blockWith("archive_mode").matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(
    ([, name = "", value = ""]) => `${name}=${value.replace("pgbackrest ", `pgbackrest --config=${config} `)}`,
  );

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

test("a full backup, an incremental one, and the write-ahead log restore to a chosen second into another folder", async () => {
  await first.init();
  configure();
  await first.start(`unix_socket_directories=${at("backrest")}`, ...archiving());
  await follow("stanza-create");
  await follow("--stanza=tillpost check");
  await (await start(first, ["migrate"])).ended;
  const serving = await (await start(first, ["serve", "--demo"])).ready();
  const one = await order(serving);
  await follow("--type=full");
  const two = await order(serving);
  await follow("--type=incr");
  const three = await order(serving);
  const chosen = await onServer(first.url, (admin) => admin.query<{ at: string }>("select clock_timestamp()::text as at"));
  const four = await order(serving);
  expect((await serving.stop()).code).toBe(0);
  // What `archive_timeout` does within the minute.
  await onServer(first.url, (admin) => admin.query("select pg_switch_wal()"));
  await eventually("it is archived", async () => {
    const { rows } = await onServer(first.url, (admin) =>
      admin.query<{ is_done: boolean }>(
        "select last_archived_wal >= pg_walfile_name(pg_current_wal_lsn() - 16 * 1024 * 1024) as is_done from pg_stat_archiver",
      ),
    );
    return rows[0]?.is_done === true;
  });
  await first.kill();

  await follow("--type=time", { "--target": chosen.rows[0]?.at ?? "", "--pg1-path": second.data });
  await second.start();
  await eventually("it is no standby any more", async () => {
    const { rows } = await onServer(second.url, (admin) => admin.query<{ is_over: boolean }>("select not pg_is_in_recovery() as is_over"));
    return rows[0]?.is_over === true;
  });
  const restored = await (await start(second, ["serve"])).ready();
  const found = await Promise.all([one, two, three, four].map((id) => statusOf(restored, id)));
  expect(found).toEqual([200, 200, 200, 404]);
  expect((await restored.stop()).code).toBe(0);
  const checked = await start(second, ["doctor", "--ledger", "--audit"]);
  await checked.ended;
  expect(checked.output).toContain("every balance is the sum of its transfers");
  expect(checked.output).not.toContain("NOT TRUE");
});
