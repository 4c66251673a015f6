import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { requestUnread } from "#test/support/network/unread-response.ts";
import { largeImage } from "#test/support/pictures/large-image.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { disconnectIdle } from "./idle-connections.ts";

test("a request that is still being processed is answered", async () => {
  const server = createServer((_request, response) => void server.once("timeout", () => response.end("done")));
  server.timeout = 50;
  disconnectIdle(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await answer.text()).toBe("done");
  server.close();
});

const app = await testApp({ http: { idleConnectionMs: 300 } });

test("a client that doesn't read its response is disconnected", async () => {
  const fastify = await app.server();
  await fastify.listen({ port: 0, host: "127.0.0.1" });
  const { response, socket } = await requestUnread(fastify, await largeImage(app, await app.tenant()));
  await eventually("the connection is closed", () => response.destroyed);
  expect([response.headersSent, response.writableFinished]).toEqual([true, false]);
  socket.destroy();
});
