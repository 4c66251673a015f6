import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { withLog } from "#test/support/app/with-log.ts";
import { readSettings } from "../../config.ts";
import { openShipping } from "./open-shipping.ts";

const app = await testApp();

test("a database that can't be reached for a moment while the server starts doesn't end it, and what is left to do is logged", async () => {
  const away = openDatabase({ url: "postgres://tillpost@127.0.0.1:1/tillpost" });
  onTestFinished(() => away.close());
  const { ctx, lines } = withLog({ ...app.ctx, db: away.db });
  const backupUrl = "postgres://backup@127.0.0.1:1/tillpost";
  expect(await openShipping({ backupUrl, ctx, log: ctx.log, settings: readSettings({}) })).toBeNull();
  expect(lines).toMatchObject([{ msg: expect.stringContaining("still retains write-ahead log"), reason: expect.stringMatching(/./) }]);
});
