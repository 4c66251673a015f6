import { expect, test } from "vitest";
import { tryReceiver } from "#test/support/guides/guide-receivers.ts";

test("the guide's receiver in Node accepts our requests and nothing else", async () => {
  expect(await tryReceiver({ heading: "Node", file: "hook.mjs", command: (file) => [process.execPath, file] })).toEqual([
    204, 400, 400, 400,
  ]);
});
