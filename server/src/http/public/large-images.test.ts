import { expect, test } from "vitest";
import { newId } from "#platform/index.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { requestUnread, type UnreadResponse } from "#test/support/network/unread-response.ts";
import { largeImage } from "#test/support/pictures/large-image.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp({ http: { answerWaitMs: 100 } });
const fastify = await app.server();

test("images that their clients don't read only take a limited amount of memory, which is free again when those clients are gone", async () => {
  await fastify.listen({ port: 0, host: "127.0.0.1" });
  const path = await largeImage(app, await app.tenant());
  const unread: UnreadResponse[] = [];
  // The room for a project's large responses is 48 MB.
  for (let count = 0; count < 3; count += 1) unread.push(await requestUnread(fastify, path));
  await eventually("all have room", () => unread.every(({ response }) => response.headersSent));
  expect(await app.api().get(path)).toMatchObject({ status: 429, body: { error: { code: "concurrency_limited" } } });
  for (const { socket } of unread) socket.destroy();
  await eventually("the room is free again", async () => (await app.api().get(path)).status === 200);
});

test("a project whose clients don't read its images keeps only its own images waiting", async () => {
  const path = await largeImage(app, await app.tenant());
  const other = await largeImage(app, await app.tenant());
  const unread: UnreadResponse[] = [];
  for (let count = 0; count < 3; count += 1) unread.push(await requestUnread(fastify, path));
  await eventually("all have room", () => unread.every(({ response }) => response.headersSent));
  expect((await app.api().get(path)).status).toBe(429);
  expect((await app.api().get(other)).status).toBe(200);
  for (const { socket } of unread) socket.destroy();
});

test("images and recordings are counted by address, also with a wrong signature", async () => {
  const strict = await testApp({ http: { perMinuteLinkReadsPerAddress: 2 } });
  const get = (path: string, from = "203.0.113.8") => strict.api().get(`${path}?expires=1&signature=forged`, { from });
  const [image, recording] = [`/assets/${newId("ast")}`, `/recordings/${newId("rec")}`];
  for (const path of [image, recording]) expect(await get(path)).toMatchObject({ status: 403, headers: { "x-ratelimit-limit": "2" } });
  for (const path of [image, recording]) expect(await get(path)).toMatchObject({ status: 429, body: { error: { code: "rate_limited" } } });
  expect((await get(image, "203.0.113.9")).status).toBe(403);
});
