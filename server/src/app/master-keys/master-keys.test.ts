import { afterAll, describe, expect, it } from "vitest";
import { notice, readMasterKeys } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { runStatement } from "#test/support/database/statement.sql.ts";
import { temporaryFolder } from "#test/support/programs/program.ts";
import { runHere } from "#test/support/programs/run-here.ts";
import { createSharedRuntime } from "../commands/process/create-shared-runtime.ts";
import { readSettings } from "../config.ts";
import { confirmMasterKeys, findKeyFaults } from "./confirm-master-keys.ts";

const app = await testApp();
const { ctx } = app;
const right = `1:${"a5".repeat(32)}`;
const wrong = `1:${"b6".repeat(32)}`;
const with_ = (keys: string) => ({ ...ctx, masterKeys: readMasterKeys(keys) });
const folder = temporaryFolder();
afterAll(() => folder.remove());

await ctx.transact((tx) => notice(tx, ctx, { kind: "password_reset", recipient: "a@corner.books", params: { language: "en", url: "x" } }));

describe("in a database that doesn't know any keys yet", () => {
  it("a key that doesn't open what is sealed is refused, and isn't recorded", async () => {
    await expect(confirmMasterKeys(with_(wrong))).rejects.toThrow(
      "Master key 1 can't decrypt what is encrypted with key 1 in notices. Restore the MASTER_KEYS",
    );
    for (const table of ["master_keys", "derived_keys"]) expect(await runStatement(ctx.db, `select * from ${table}`)).toEqual([]);
  });

  it("the right one is recorded, once, along with an additional one", async () => {
    await confirmMasterKeys(ctx);
    await confirmMasterKeys(with_(`${right},2:${"c7".repeat(32)}`));
    expect(await runStatement(ctx.db, "select number from master_keys order by 1")).toEqual([{ number: 1 }, { number: 2 }]);
    expect(JSON.stringify(await runStatement(ctx.db, "select * from master_keys"))).not.toMatch(/a5a5|c7c7/);
  });
});

describe("once the keys are known", () => {
  it.each([
    [
      "another key of the same number",
      wrong,
      /Master key 1 isn't the one for this database: its fingerprint is \S{16}, the database's is \S{16}\./,
    ],
    [
      "a missing key that has sealed something",
      `2:${"c7".repeat(32)}`,
      /Master key 1 is missing, and secrets in the database are encrypted with it\./,
    ],
  ])("%s is a fault", async (_what, keys, sentence) => {
    expect((await findKeyFaults(with_(keys))).join()).toMatch(sentence);
  });

  it("a key that has sealed nothing may be omitted again", async () => {
    expect(await findKeyFaults(with_(right))).toEqual([]);
  });

  const env = { DATABASE_URL: app.url, MASTER_KEYS: wrong };

  // Both begin with this, as does `serve`, which the long form starts; a start that it refuses ends with its message.
  it.each(["api", "worker"])("%s doesn't start with the wrong one", async (command) => {
    const start = createSharedRuntime(readSettings({ ...env, TILLPOST_DATA_DIR: folder.path, LOG_LEVEL: "silent" }), command);
    await expect(start).rejects.toThrow(/^Master key 1 isn't the one for this database(?!.*b6b6)/);
  });

  it.each(["keys", "migrate"])("%s does nothing with the wrong one", async (command) => {
    const { code, output } = await runHere({ dataDir: folder.path, command: [command], env });
    expect(code).toBe(1);
    expect(output).toContain("Master key 1 isn't the one for this database");
    expect(output).not.toContain("b6b6");
  });

  it("doctor reports it", async () => {
    const { code, output } = await runHere({ dataDir: folder.path, command: ["doctor"], env });
    expect(code).toBe(1);
    expect(output).toMatch(/FAULT {2}secrets +Master key 1 isn't the one for this database.*\n +→ Restore the MASTER_KEYS/);
  });
});
