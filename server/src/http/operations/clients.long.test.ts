import { rm } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { compileFaults, generateClients } from "#test/support/guides/generated-clients.ts";

const app = await testApp();
const { folder, programs } = await generateClients((await app.api().get("/openapi.json")).body);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("clients that openapi-typescript and @hey-api/openapi-ts generate for all routes compile", () => {
  expect(compileFaults(programs)).toEqual([]);
}, 120_000);
