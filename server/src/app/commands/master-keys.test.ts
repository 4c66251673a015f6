import { chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { chainAudit } from "#audit/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { testEnvironment, testMasterKeys } from "#test/support/app/test-environment.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { startedFolder } from "#test/support/programs/started-folder.ts";
import { openForCommands } from "#test/support/programs/stopped-app.ts";
import { addMasterKey } from "../master-keys/index.ts";
import type { Runtime } from "../runtime/index.ts";

const { url } = await testApp();
const folder = temporaryFolder();
const dataDir = join(folder.path, "data");
const file = join(dataDir, "master-keys");
let installation: Runtime | undefined;

afterAll(async () => {
  await installation?.close();
  folder.remove();
});

const run = (command: string[], env: Record<string, string> = {}) => runHere({ dataDir, command: ["master-keys", ...command], env });

describe("with the embedded database", () => {
  // `npm run test:long` rotates them under a server, which is waited for.
  it("keys are added to its file and rotated, and the old ones can be removed", async () => {
    const before = await openForCommands(await startedFolder(dataDir));
    installation = before;
    await chainAudit(before.ctx);
    // Root may run a command on the folder of the user who runs the server.
    const owner = process.getuid?.() === 0 ? 65_534 : statSync(file).uid;
    chownSync(file, owner, statSync(file).gid);
    const added = await Promise.all([run(["add"]), addMasterKey(before.ctx, before.keySource)]);
    const entries = readFileSync(file, "utf8").trim().split(",\n");
    expect(entries.map((entry) => entry.split(":", 1).join(""))).toEqual(["1", "2", "3"]);
    expect([statSync(file).mode & 0o777, statSync(file).uid]).toEqual([0o600, owner]);
    expect(added[0]).toMatchObject({
      code: 0,
      output: expect.stringContaining("Update your copy of that file, then run: master-keys rotate"),
    });

    const rotated = await run(["rotate"]);
    expect(rotated.output).toContain("Master key 3 is current: it encrypts new secrets.");
    expect(rotated.output).toContain(`You can remove master keys 1, 2 from ${file}.`);
    expect(rotated.code).toBe(0);

    writeFileSync(file, `${entries[2]}\n`, { mode: 0o600 });
    await before.close();
    installation = await openForCommands(dataDir);
    await installation.followKeys("serve");
    const listed = await run([]);
    expect(listed.output).toMatch(/^ {3}1 {2}\S{16} {2}opens, signs, removed; keys derived from it are kept$/m);
    expect(listed.output).toMatch(/^ {3}3 {2}\S{16} {2}current: encrypts new secrets$/m);
    expect(listed.output).toMatch(/ audit_key\.sealed: 1\n/);
    expect(listed.output).toMatch(/ {2}serve on .* \(process \d+\): 3; encrypts with 3/);
    for (const { output } of [added[0], rotated, listed]) for (const entry of entries) expect(output).not.toContain(entry.slice(2));
  });
});

describe("on your own PostgreSQL", () => {
  const env = testEnvironment(url);

  it("a key is handed out once, into a file without a terminal, and the list of keys belongs to the operator", async () => {
    expect(await run(["add"], env)).toMatchObject({ code: 1, output: expect.stringContaining("Add --secret-file") });
    const path = join(folder.path, "second-key");
    const added = await run(["add", "--secret-file", path], env);
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining("Add it to MASTER_KEYS for every process") });
    expect(added.output).toMatch(/Add it to your copy of the keys too\. Then run: master-keys rotate\n/);
    const entry = readFileSync(path, "utf8").trim();
    expect(entry).toMatch(/^2:[0-9a-f]{64}$/);
    expect(added.output).not.toContain(entry.slice(2));
    expect((await run(["rotate"], env)).output).toContain("Master key 2 was added, but isn't in MASTER_KEYS.");
    const rotated = await run(["rotate"], { ...env, MASTER_KEYS: `${testMasterKeys},${entry}` });
    expect(rotated).toMatchObject({ code: 0, output: expect.stringContaining("You can remove master key 1 from MASTER_KEYS.") });
    const revoked = await run(["revoke", "1"], { ...env, MASTER_KEYS: entry });
    expect(revoked).toMatchObject({ code: 0, output: expect.stringContaining("Master key 1 is revoked") });
    // Also a kind of which there is none: the copy may have what was deleted here since.
    expect(revoked.output).toMatch(/^ {2}\d+ accounts? with (?:a )?payment providers?: create new keys .*`expire_old_in_seconds: 0`/m);
  });

  it.each([
    [["melt"], "master-keys can list, add, rotate and revoke, not melt."],
    [["revoke"], "Which master key? master-keys revoke <number>"],
  ])("refuses %j in one sentence", async (command, sentence) => {
    const { code, output } = await run(command, env);
    expect([code, output]).toEqual([1, `${sentence}\n`]);
  });
});
