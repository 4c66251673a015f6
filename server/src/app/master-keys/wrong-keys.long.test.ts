import { afterAll, expect, it } from "vitest";
import { notice } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { startProgram, temporaryFolder } from "#test/support/programs/program.ts";
import { confirmMasterKeys } from "./confirm-master-keys.ts";

const { url, ctx } = await testApp();
const folder = temporaryFolder();
const env = { DATABASE_URL: url, MASTER_KEYS: `1:${"b6".repeat(32)}` };
afterAll(() => folder.remove());

await ctx.transact((tx) => notice(tx, ctx, { kind: "password_reset", recipient: "a@corner.books", params: { language: "en", url: "x" } }));
await confirmMasterKeys(ctx);

it("serve doesn't start with the wrong one", async () => {
  const program = await startProgram({ dataDir: folder.path, env });
  expect((await program.ended).code).toBe(1);
  expect(program.output).toContain("Master key 1 isn't the one for this database");
  expect(program.output).not.toMatch(/b6b6|is running/);
});
