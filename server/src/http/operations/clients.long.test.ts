import { rm } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { clientContract, compileFaults, generateClients } from "#test/support/guides/generated-clients.ts";

const app = await testApp();
const document = (await app.api().get("/openapi.json")).body;
const { folder, programs } = await generateClients(document);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("clients that openapi-typescript and @hey-api/openapi-ts generate for all routes compile", () => {
  expect(compileFaults(programs)).toEqual([]);
}, 120_000);

describe.each([
  ["openapi-typescript with openapi-fetch", programs[0]],
  ["@hey-api/openapi-ts", programs[1]],
])("the client of %s", (_name, program) => {
  clientContract(app, program, document.webhooks["order.paid"].post.requestBody.content["application/json"].example);
});
