import { rm } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import fetchClient from "openapi-fetch";
import { afterAll, describe, expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { type ClientProgram, compileFaults, generateClients } from "#test/support/guides/generated-clients.ts";

const app = await testApp();
const { paths, ...document } = (await app.api().get("/openapi.json")).body;
// The compiler reads every type of a client: here those of orders and of all schemas and events, in the long form all of them.
const ofOrders = Object.entries(paths as object).filter(([path]) => path.includes("/orders"));
const { folder, programs } = await generateClients({ ...document, paths: Object.fromEntries(ofOrders) });
afterAll(() => rm(folder, { recursive: true, force: true }));

test("clients that openapi-typescript and @hey-api/openapi-ts generate compile, and narrow a delivery by its event", () => {
  expect(compileFaults(programs)).toEqual([]);
}, 120_000);

describe.each([
  ["openapi-typescript with openapi-fetch", programs[0]],
  ["@hey-api/openapi-ts", programs[1]],
])("the client of %s", (_name, program) => {
  test("sends an Idempotency-Key, so that an order created twice is one", async () => {
    const { orderTwice } = (await import(pathToFileURL(program as string).href)) as ClientProgram;
    const server = await app.server();
    if (!server.server.listening) await server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = server.server.address() as { port: number };
    const shop = await app.tenant();
    const { ids, replayed } = await orderTwice({
      baseUrl: `http://127.0.0.1:${port}`,
      key: shop.key,
      projectId: shop.project_id,
      fetchClient,
    });
    expect(ids[0]).toMatch(/^ord_/);
    expect(ids[1]).toBe(ids[0]);
    expect(replayed).toBe("true");
  });

  test("reads the document's own example of a delivery", async () => {
    const { tell } = (await import(pathToFileURL(program as string).href)) as ClientProgram;
    expect(tell(document.webhooks["order.paid"].post.requestBody.content["application/json"].example)).toBe(
      "INV-1001 2026-11-20T14:42:00.000Z",
    );
  });
});
