import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { requestUnread } from "#test/support/network/unread-response.ts";
import { largeImage } from "#test/support/pictures/large-image.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp({ http: { idleConnectionMs: 300 } });

test("a client that doesn't read its response is disconnected", async () => {
  const fastify = await app.server();
  await fastify.listen({ port: 0, host: "127.0.0.1" });
  const { response, socket } = await requestUnread(fastify, await largeImage(app, await app.tenant()));
  await eventually("the connection is closed", () => response.destroyed);
  expect([response.headersSent, response.writableFinished]).toEqual([true, false]);
  socket.destroy();
});
