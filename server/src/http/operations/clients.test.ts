import { rm } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { clientContract, compileFaults, generatePlainClient } from "#test/support/guides/generated-clients.ts";

const app = await testApp();
const { paths, ...document } = (await app.api().get("/openapi.json")).body;
// The compiler reads every type of a client: here those of orders and of all schemas and events, in the long form all of them.
const ofOrders = Object.entries(paths as object).filter(([path]) => path.includes("/orders"));
const { folder, program } = await generatePlainClient({ ...document, paths: Object.fromEntries(ofOrders) });
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the client that openapi-typescript generates compiles, and narrows a delivery by its event", () => {
  expect(compileFaults([program])).toEqual([]);
}, 120_000);

describe("the client of openapi-typescript with openapi-fetch", () => {
  clientContract(app, program, document.webhooks["order.paid"].post.requestBody.content["application/json"].example);
});
