import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "#app/config.ts";
import { emptyDatabase } from "#test/support/app/test-app.ts";
import { freePort } from "#test/support/network/free-port.ts";
import { programEnvironment, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { createSharedRuntime } from "./process/create-shared-runtime.ts";
import { openServer } from "./process/open-server.ts";

const folder = temporaryFolder();
const own = await emptyDatabase();
const env = { DATABASE_URL: own.url, MASTER_KEYS: `1:${"ab".repeat(32)}`, LOG_PRETTY: "off" };
afterAll(async () => {
  await own.drop();
  folder.remove();
});

const run = (...command: string[]) => runHere({ dataDir: folder.path, command, env });
const done = async (...command: string[]) => {
  const { code, output } = await run(...command);
  expect(code, output).toBe(0);
  return output;
};
const idIn = (output: string, prefix: string) => new RegExp(`${prefix}_\\w{26}`).exec(output)?.[0] ?? "";

it("on an empty database a stranger gets from migrate to a paid order using only commands", async () => {
  expect(await done("migrate")).toContain("projects create --merchant");
  expect(await done("merchants")).toContain("merchants create --name");
  const merchant = idIn(await done("merchants", "create", "--name", "Harbour Cafe"), "mer");
  expect(await done("merchants", "list")).toContain(`${merchant}  pending     Harbour Cafe`);
  const project = idIn(await done("projects", "create", "--merchant", merchant, "--name", "Till"), "prj");
  expect(await done("projects")).toContain(`${project}  Till`);
  const secretIn = (name: string) => ["--secret-file", join(folder.path, name)];
  await done("keys", "create", "--name", "till 1", "--project", project, ...secretIn("key"));
  const key = readFileSync(join(folder.path, "key"), "utf8").trim();
  expect(await done("admin", "create", "--email", "boss@example.com", "--merchant", merchant, ...secretIn("password"))).toContain(merchant);
  expect(await done("merchants", "verify", merchant)).toContain("is verified");
  expect(await done("merchants")).toContain("verified    Harbour Cafe");
  // What `api` runs, in the test's process; the long form of `api` starts the program.
  const api = { ...env, LOG_LEVEL: "error" };
  const settings = readSettings(programEnvironment({ dataDir: folder.path, port: await freePort(), env: api }));
  const runtime = await createSharedRuntime(settings, "api");
  const server = await openServer(runtime);
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const url = `${settings.PUBLIC_URL}/api/v1/projects/${project}/${path}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as { id: string; status: string } };
  };
  const order = await post("orders", { amount_minor: 8800, currency: "CNY" });
  expect(order.status).toBe(201);
  expect(await post(`orders/${order.body.id}/simulate-payment`, {})).toMatchObject({ status: 200, body: { status: "paid" } });
  await server.close();
  await runtime.close();
  expect(existsSync(join(folder.path, "demo.json"))).toBe(false);
});

describe("on a migrated database", () => {
  beforeAll(async () => void (await done("migrate")));

  it.each([
    [["merchants", "create"], "What is it called?"],
    [["merchants", "melt"], "merchants can list, create and verify, not melt."],
    [["merchants", "verify"], "Which merchant?"],
    [["merchants", "verify", "mer_none"], "No such object"],
    [["projects", "create"], "Which merchant does it belong to? Add --merchant"],
    [["projects", "create", "--merchant", "mer_none"], "What is it called?"],
    [["projects", "create", "--merchant", "mer_none", "--name", "Till"], "There is no merchant mer_none."],
    [["projects", "melt"], "projects can list and create, not melt."],
  ])("refuses %j in one sentence", async (command, sentence) => {
    const { code, output } = await run(...command);
    expect(code).toBe(1);
    expect(output).toContain(sentence);
    expect(output).not.toContain("    at ");
  });
});
