import { test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { expectCalmAfter } from "./storm-rules.ts";

const app = await testApp();

test("1 000 keys, ten concurrent copies of each, while processes are killed", async () => {
  await expectCalmAfter(app, { keys: 1000, processes: 3, kills: 9 });
});
