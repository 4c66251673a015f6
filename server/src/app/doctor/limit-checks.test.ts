import { expect, it } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { readSettings } from "../config.ts";
import { checkLimits } from "./limit-checks.ts";

const app = await testApp();

it("says nothing if each process counts separately", async () => {
  expect(await checkLimits(readSettings({}), app.url)).toEqual([]);
});

it("says that a shared store responds", async () => {
  const findings = await checkLimits(readSettings({ LIMITS_STORE: "postgres", LIMITS_NODES: "3" }), app.url);
  expect(findings).toEqual([{ check: "limits", state: "fine", message: "postgres responds; 3 processes share it" }]);
});

it("says how to fix one that doesn't", async () => {
  const [finding] = await checkLimits(readSettings({ REDIS_URL: "redis://127.0.0.1:1" }), app.url, 200);
  expect(finding).toMatchObject({
    check: "limits",
    state: "fault",
    message: expect.stringContaining("redis doesn't respond"),
    fix: expect.stringContaining("REDIS_URL"),
  });
});
