import { test } from "vitest";
import { listen } from "#test/support/app/listen.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { expectCalmAfter } from "./storm-rules.ts";

const app = await testApp({ http: { perMinuteTest: 1_000_000, burst: 5_000 } });

test("60 keys, ten copies of each at two processes, one of which is killed: one effect per key, and another body is always 422", async () => {
  await expectCalmAfter(app, { keys: 60, processes: 1, kills: 1, survivor: await listen(app) });
});

test("1 000 keys, ten concurrent copies of each, while processes are killed", async () => {
  await expectCalmAfter(app, { keys: 1000, processes: 3, kills: 9 });
});
