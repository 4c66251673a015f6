import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { databaseUrl, onServer } from "#test/support/database/postgres.ts";
import { DebianServer } from "#test/support/debian/debian-postgres.ts";
import { postgresPrograms } from "#test/support/debian/debian-programs.ts";
import { quietly } from "#test/support/deploy/shipped.ts";
import { blocksOf } from "#test/support/guides/guides.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { wechatCode } from "#test/support/payments/pay-shop.ts";
import { poster } from "#test/support/pictures/pictures.ts";
import { type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";

/** Debian's PostgreSQL stands in for Compose's containers: what runs in them runs here, with the guide's words. */
const folder = temporaryFolder();
const servers: DebianServer[] = [];
const started: Program[] = [];

afterAll(async () => {
  for (const one of started) await one.stop();
  for (const one of servers) await one.remove();
  folder.remove();
});

/** A machine with a new database container and an empty data volume. */
async function machine(name: string) {
  const server = new DebianServer(await freePort());
  servers.push(server);
  await server.init();
  await server.start();
  // As the image of PostgreSQL does for POSTGRES_USER and POSTGRES_DB.
  await onServer(server.url, (admin) => admin.query("create role tillpost superuser login"));
  await onServer(server.url, (admin) => admin.query("create database tillpost owner tillpost"));
  const data = join(folder.path, name);
  mkdirSync(data);
  const as = (role: string) => databaseUrl(server.url, "tillpost").replace("postgres@", `${role}@`);
  return { server, data, as, env: { ...testEnvironment(as("tillpost")), LOG_LEVEL: "error" } };
}
type Machine = Awaited<ReturnType<typeof machine>>;

/** Types what the guide's block runs in the containers. */
function follow({ server, data }: Machine, part: string): void {
  const { text } = blocksOf("operations/install.md").find((block) => block.text.includes(part)) ?? expect.fail(`no block with ${part}`);
  const lines = text
    .replace(/^docker compose \S+ \S+ --env-file tillpost\.env exec -T database /gm, "")
    .replace(/^docker run --rm (?:--interactive )?--volume tillpost_data:\/data(?::ro)? \S+ /gm, "")
    .replaceAll(" --directory /data", ` --directory ${data}`)
    .replace(/^docker compose .*\n/gm, "");
  expect(lines).not.toContain("docker");
  type(server, lines);
}

const type = (server: DebianServer, lines: string) =>
  quietly("sh", ["-ec", `PATH=${postgresPrograms()}:$PATH\n${lines}`], {
    cwd: folder.path,
    env: { PGHOST: "127.0.0.1", PGPORT: String(server.port) },
  });

async function serve({ data, env }: Machine, ...more: string[]): Promise<Program> {
  const one = await startProgram({ dataDir: data, command: ["serve", ...more], env });
  started.push(one);
  return one.ready();
}

/** Requests a path of the demo project's server. */
const ask = (of: Program, path: string, init: RequestInit = {}) =>
  fetch(`${of.url}${path}`, { ...init, headers: { authorization: `Bearer ${of.demo().api_key}`, ...init.headers } });

/** An order and an uploaded image, by their paths. */
async function makeSome(of: Program): Promise<string[]> {
  const project = `/api/v1/projects/${of.demo().project_id}`;
  const order = await ask(of, `${project}/orders`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ amount_minor: 8800, currency: "CNY" }),
  });
  const form = new FormData();
  form.set("purpose", "collection_qr");
  form.set("file", new Blob([new Uint8Array(await poster(wechatCode))], { type: "image/jpeg" }), "code.jpg");
  const asset = await ask(of, `${project}/assets/upload`, { method: "POST", body: form });
  expect([order.status, asset.status]).toEqual([201, 201]);
  const { id } = (await order.json()) as { id: string };
  const { pathname, search } = new URL(((await asset.json()) as { url: string }).url);
  return [`${project}/orders/${id}`, `${pathname}${search}`];
}

async function expectRestored(on: Machine, made: readonly string[]): Promise<void> {
  const restored = await serve(on);
  for (const path of made) expect((await ask(restored, path)).status, path).toBe(200);
  expect((await restored.stop()).code).toBe(0);
  const checked = await runHere({ dataDir: on.data, command: ["doctor", "--ledger", "--audit"], env: on.env });
  expect(checked.output).toMatch(/ok +secrets +the master keys are those of this database/);
  expect(checked.output).not.toContain("FAULT");
}

it("a dump and an archive of the files, made while the server runs, restore on a new machine, and again on the same one", async () => {
  const old = await machine("old");
  const serving = await serve(old, "--demo");
  const made = await makeSome(serving);
  follow(old, "pg_dump");
  const later = await makeSome(serving);
  expect((await serving.stop()).code).toBe(0);

  const other = await machine("other");
  follow(other, "pg_restore");
  await expectRestored(other, made);
  follow(old, "pg_restore");
  await expectRestored(old, made);
  const again = await serve(old);
  expect((await ask(again, later[0] ?? "")).status).toBe(404);
  await again.stop();
});

it("two roles are restored with their privileges if they were saved too", async () => {
  const old = await machine("two-roles");
  expect((await runHere({ dataDir: old.data, command: ["migrate"], env: old.env })).code).toBe(0);
  const { output } = await runHere({ dataDir: old.data, command: ["database-roles"], env: old.env });
  await onServer(old.as("tillpost"), (admin) => admin.query(output));
  const asTwo = (on: Machine): Machine => ({
    ...on,
    env: { ...on.env, ...testEnvironment(on.as("tillpost_app")), DATABASE_OWNER_URL: on.as("tillpost_owner") } as Machine["env"],
  });
  const serving = await serve(asTwo(old), "--demo");
  const made = await makeSome(serving);
  follow(old, "pg_dump");
  type(old.server, "pg_dumpall --username tillpost --roles-only > roles.sql");
  expect((await serving.stop()).code).toBe(0);

  const other = await machine("two-roles-again");
  type(other.server, "psql --username tillpost --dbname postgres < roles.sql");
  follow(other, "pg_restore");
  await expectRestored(asTwo(other), made);
});
