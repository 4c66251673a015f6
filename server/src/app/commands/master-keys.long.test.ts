import { chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { databaseProcesses, killNow, type Program, startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";

const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const file = join(dataDir, "master-keys");
let server: Program | undefined;

afterAll(async () => {
  await server?.stop();
  databaseProcesses(dataDir).forEach(killNow);
  folder.remove();
});

const run = (...command: string[]) => runHere({ dataDir, command: ["master-keys", ...command] });

/** Runs as a separate process, because two of them need the same file at once. */
async function add(): Promise<{ code: number | null; output: string }> {
  const program = await startProgram({ dataDir, command: ["master-keys", "add"] });
  const { code } = await program.ended;
  return { code, output: program.output };
}

it("keys are added to the file of a server with the embedded database and rotated while it serves, and the old ones can be removed", async () => {
  server = await (await startProgram({ dataDir: await startedFolder(dataDir) })).ready();
  const { port } = server;
  const { email, password } = server.demo() as { email?: string; password?: string };
  const entered = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.url },
    body: JSON.stringify({ email, password }),
  });
  const cookie = entered.headers.getSetCookie()[0]?.split(";", 1).join("") ?? "";
  const me = async () => (await fetch(`http://localhost:${port}/api/profile/me`, { headers: { cookie } })).status;
  expect(await me()).toBe(200);

  // Root may run a command on the folder of the user who runs the server.
  const owner = process.getuid?.() === 0 ? 65_534 : statSync(file).uid;
  chownSync(file, owner, statSync(file).gid);
  const added = await Promise.all([add(), add()]);
  const entries = readFileSync(file, "utf8").trim().split(",\n");
  expect(entries.map((entry) => entry.split(":", 1).join(""))).toEqual(["1", "2", "3"]);
  expect([statSync(file).mode & 0o777, statSync(file).uid]).toEqual([0o600, owner]);
  expect(added.map(({ code }) => code)).toEqual([0, 0]);
  for (const { output } of added) expect(output).toContain("Update your copy of that file, then run: master-keys rotate");

  const rotated = await run("rotate");
  expect(rotated.output).toContain("Master key 3 is current: it encrypts new secrets.");
  expect(rotated.output).toContain(`You can remove master keys 1, 2 from ${file}.`);
  expect([rotated.code, await me()]).toEqual([0, 200]);

  writeFileSync(file, `${entries[2]}\n`, { mode: 0o600 });
  await server.stop();
  server = await (await startProgram({ dataDir, port })).ready();
  expect(await me()).toBe(200);
  const listed = await run();
  expect(listed.output).toMatch(/^ {3}1 {2}\S{16} {2}opens, signs, removed; keys derived from it are kept$/m);
  expect(listed.output).toMatch(/^ {3}3 {2}\S{16} {2}current: encrypts new secrets$/m);
  expect(listed.output).toMatch(/ audit_key\.sealed: 1\n/);
  expect(listed.output).toMatch(/ {2}serve on .* \(process \d+\): 3; encrypts with 3/);
  for (const { output } of [...added, rotated, listed, server]) for (const entry of entries) expect(output).not.toContain(entry.slice(2));
});
