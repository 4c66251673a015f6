import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { readSettings } from "#app/config.ts";
import { testEnvironment } from "#test/support/app/test-environment.ts";
import { CommandLine, failed } from "#test/support/programs/command-line.ts";
import { commandOf, databaseProcesses, type Program, programEnvironment } from "#test/support/programs/program.ts";
import { commandList } from "./index.ts";
import { createSharedRuntime } from "./process/create-shared-runtime.ts";

const line = new CommandLine();
const { dataDir, folder } = line;
let server: Program;

beforeAll(async () => {
  await line.begin();
  server = line.server;
});
afterAll(() => line.end());

const run = (command: string[], env: Record<string, string> = {}) => line.run(command, env);

const withKey = (key: string) => fetch(`${server.url}/api/v1/projects`, { headers: { "x-api-key": key } }).then((answer) => answer.status);

describe("tillpost", () => {
  it("lists its commands and what each does", async () => {
    const general = await run(["--help"]);
    expect(general.code).toBe(0);
    for (const [name, command] of Object.entries(commandList)) {
      expect(general.output).toContain(command.summary);
      expect(await run([name, "--help"])).toMatchObject({ code: 0, output: expect.stringContaining(command.help) });
    }
  });

  it.each([[["frobnicate"]], [[]], [["keys", "--frobnicate"]]])("answers %j with help and exit code 2", async (command) => {
    expect(await run(command)).toEqual({ code: 2, output: expect.stringMatching(/Usage: |tillpost keys: /) });
  });

  it("exits with its command's exit code and prints the same as that command", async () => {
    expect(await line.start(["frobnicate"])).toEqual(await run(["frobnicate"]));
  });

  it("lists every wrong setting and exits with 1", async () => {
    const { code, output } = await run(["doctor"], { WORKERS: "perhaps", LOG_LEVEL: "loud" });
    expect(code).toBe(1);
    expect(output).toMatch(/2 errors:\n {2}WORKERS .*\n {2}LOG_LEVEL /);
  });
});

describe("admin, while a server runs", () => {
  it("creates an operator and owner who signs in with the password shown, as the demo's account does", async () => {
    const me = async (email: string, password: string) =>
      (await fetch(`${server.url}/api/profile/me`, { headers: { cookie: await line.signIn(email, password) } })).json();
    const demo = server.demo() as { email?: string; password?: string };
    const demoNow = () => me(demo.email ?? "", demo.password ?? "");
    expect(await demoNow()).toMatchObject({ is_operator: true, memberships: [{ merchant_name: "Demo Tea House", role: "owner" }] });
    const file = join(folder.path, "boss-password");
    const made = await run(["admin", "create", "--email", "Boss@Example.com", "--merchant-name", "Harbour Cafe", "--secret-file", file]);
    expect(made).toMatchObject({ code: 0, output: expect.stringContaining(file) });
    const password = readFileSync(file, "utf8").trim();
    expect([statSync(file).mode & 0o777, password.length, made.output.includes(password)]).toEqual([0o600, 20, false]);
    const boss = { email: "boss@example.com", is_operator: true, memberships: [{ merchant_name: "Harbour Cafe", role: "owner" }] };
    expect(await me("boss@example.com", password)).toMatchObject(boss);
    // The demo was operator only as long as there was no one else.
    expect(await demoNow()).toMatchObject({ is_operator: false });
    expect(await run(["admin", "create", "--email", "c@example.com", "--secret-file", file])).toMatchObject(failed("already exists"));
    const other = join(folder.path, "other-password");
    expect(await run(["admin", "create", "--email", "boss@example.com", "--secret-file", other])).toMatchObject(failed("already"));
    expect(await run(["admin", "create", "--email", "b@example.com", "--merchant", "mer_none", "--secret-file", other])).toMatchObject(
      failed("There is no merchant mer_none."),
    );
    expect(existsSync(other)).toBe(false);
  });

  it("creates no secret if the output isn't a terminal and no file is given", async () => {
    for (const command of [
      ["admin", "create", "--email", "d@example.com"],
      ["admin", "recover", "--email", "boss@example.com", "--new-password"],
      ["keys", "create", "--name", "till 3"],
    ])
      expect(await run(command)).toMatchObject(failed("Add --secret-file"));
    expect((await run(["keys", "list"])).output).not.toContain("till 3");
  });
});

describe("keys, while a server runs", () => {
  it("creates a key that works, lists it without its text, and ends it", async () => {
    const file = join(folder.path, "till-2");
    const made = await run(["keys", "create", "--name", "till 2", "--permissions", "orders:read", "--secret-file", file]);
    expect(made.code).toBe(0);
    const secret = readFileSync(file, "utf8").trim();
    expect(made.output).not.toContain(secret);
    expect(await withKey(secret)).toBe(200);
    const id = /key_\w+/.exec(made.output)?.[0] ?? "";
    const listed = await run(["keys", "list"]);
    expect(listed.output).toContain(`${id}  svc_test_…${secret.slice(-4)}  active   till 2  orders:read`);
    expect(listed.output).not.toContain(secret);
    expect((await run(["keys", "revoke", id])).code).toBe(0);
    expect((await run(["keys", "list"])).output).toMatch(new RegExp(`${id} .* revoked`));
  });

  it.each([
    [
      "a permission that is none",
      ["keys", "create", "--permissions", "orders:eat", "--secret-file", join(folder.path, "none")],
      "The permission orders:eat doesn't exist",
    ],
    ["a key that is none", ["keys", "revoke", "key_01m7wma08neakrxfmq4pbd1jg7"], "No such object"],
    ["no key", ["keys", "revoke"], "Which key?"],
    ["another verb", ["keys", "melt"], "not melt"],
  ])("refuses %s in one sentence", async (_what, command, sentence) => {
    const { code, output } = await run(command);
    expect(code).toBe(1);
    expect(output).toContain(sentence);
    expect(output).not.toContain("    at ");
  });
});

it("mail refuses an unknown verb in one sentence", async () => {
  expect(await run(["mail", "burn"])).toEqual({ code: 1, output: "mail can list and show, not burn.\n" });
});

it("prints the SQL of two database roles by their names, without a database, and refuses one name for both", async () => {
  const nowhere = { TILLPOST_DATA_DIR: join(folder.path, "nowhere") };
  const { code, output } = await run(["database-roles", "--owner", "shop_owner", "--app", "shop_app"], nowhere);
  expect(code).toBe(0);
  for (const part of ["create role %I login', 'shop_owner'", "create role %I login', 'shop_app'", "('ledger_transfers', 'SELECT,INSERT')"])
    expect(output).toContain(part);
  expect(await run(["database-roles", "--owner", "shop", "--app", "shop"], nowhere)).toMatchObject(failed("different names"));
});

describe("before anything exists", () => {
  it.each(["keys", "doctor"])("%s says so and creates nothing", async (command) => {
    const nowhere = join(folder.path, "nowhere");
    const { code, output } = await run([command], { TILLPOST_DATA_DIR: nowhere });
    expect({ code, output }).toEqual({ code: 1, output: `There is no Tillpost in ${nowhere} yet. \`npm start\` creates one.\n` });
    expect(existsSync(nowhere)).toBe(false);
  });

  it("migrate reports an unreachable database in one sentence; `serve` does in the long form", async () => {
    const env = {
      TILLPOST_DATA_DIR: join(folder.path, "unreached"),
      DATABASE_URL: "postgres://nobody:hunter2@127.0.0.1:1/none",
      MASTER_KEYS: `1:${"ab".repeat(32)}`,
    };
    const { code, output } = await run(["migrate"], env);
    expect(code).toBe(1);
    expect(output).toMatch(/^The database refused the connection: .*ECONNREFUSED.*\n$/);
    expect(output).not.toContain("hunter2");
  });
});

describe("doctor", () => {
  it("finds a new installation healthy, including its books and audit log", async () => {
    const { code, output } = await run(["doctor", "--ledger", "--audit"]);
    expect(output).toContain("No problems found.");
    for (const part of [
      "PostgreSQL 18",
      "tillpost_app serves, and can only add to the ledger and the audit log",
      "free for",
      "encrypts and decrypts",
      "agrees with the database's clock",
      "Tillpost responds",
      "every balance is the sum",
      "every audit row is chained",
    ])
      expect(output).toContain(part);
    expect(code).toBe(0);
  });

  it("checks the port that the data folder's server serves on, if PORT is unset or different", async () => {
    const { output } = await run(["doctor"], { PORT: "1" });
    expect(output).toContain(`Tillpost responds on port ${server.port}`);
  });

  it("restarts the anchors only with a reason, and records it in the audit log", async () => {
    expect(await run(["doctor", "--begin-anchors", " "])).toMatchObject(failed("a reason is missing"));
    const started = await run(["doctor", "--begin-anchors", "Restored the backup of Tuesday"]);
    expect(started).toMatchObject({ code: 0, output: expect.stringContaining("the anchors were restarted") });
    expect(started.output).toContain("the anchors carry this audit log's seal");
  });

  it("says which secret is readable by others and how to close it, and exits with 1", async () => {
    chmodSync(join(dataDir, "master-keys"), 0o644);
    const { code, output } = await run(["doctor"]);
    chmodSync(join(dataDir, "master-keys"), 0o600);
    expect(code).toBe(1);
    expect(output).toMatch(/FAULT {2}secrets +master-keys can be read by others \(mode 644\)\n +→ chmod 600 /);
  });

  it("says that a database doesn't respond, and exits with 1", async () => {
    const { code, output } = await run(["doctor"], {
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      MASTER_KEYS: `1:${"ab".repeat(32)}`,
    });
    expect(code).toBe(1);
    expect(output).toMatch(/FAULT {2}database +.*ECONNREFUSED/);
  });
});

// The long form starts both as processes.
describe("api and worker on your own database", () => {
  const open = (command: string, env: Record<string, string> = {}) =>
    createSharedRuntime(readSettings(programEnvironment({ dataDir, port: server.port, env })), command);

  it("worker refuses the embedded database, which belongs to one process", async () => {
    await expect(open("worker")).rejects.toThrow("needs DATABASE_URL");
  });

  it("api requires `migrate` if the database lacks migrations", async () => {
    const { serverUrl } = inject("postgres");
    await expect(open("api", testEnvironment(serverUrl))).rejects.toThrow("tillpost -- migrate");
  });
});

// It ends the server, so it comes last.
describe("serve", () => {
  it("protects the database from the terminal's Ctrl-C and ends it itself, in order", async () => {
    const [postmaster] = databaseProcesses(dataDir);
    const log = () => readFileSync(join(dataDir, "postgres.log"), "utf8");
    const before = log().length;
    process.kill(-server.pid, "SIGINT");
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(commandOf(postmaster ?? 0)).toBe("");
    expect(log().slice(before)).toMatch(/received fast shutdown request[\s\S]*database system is shut down/);
  });
});
