import { createRequire } from "node:module";
import { expect, onTestFinished, test, vi } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp();

test("no name of a plugin is looked for among all loaded modules", async () => {
  const { cache } = createRequire(import.meta.url);
  const keys = vi.spyOn(Object, "keys");
  onTestFinished(() => keys.mockRestore());
  await app.server();
  expect(keys.mock.calls.filter(([given]) => given === cache).length).toBe(0);
});
