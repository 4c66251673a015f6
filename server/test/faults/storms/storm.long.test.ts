import { test } from "vitest";
import { house } from "#test/support/house/house.ts";
import { expectCalmAfter } from "./storm-rules.ts";

const home = await house();

test("1 000 keys, ten copies of each at once, while processes are killed", async () => {
  await expectCalmAfter(home, { keys: 1000, processes: 3, kills: 9 });
});
