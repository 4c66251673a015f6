import type { ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { emit } from "#events/index.ts";
import { revokeApiKey } from "#identity/index.ts";
import { listen } from "#test/support/app/listen.ts";
import { type TestTenant, testApp } from "#test/support/app/test-app.ts";
import { eventually } from "#test/support/time/eventually.ts";
import { fanOut } from "#webhooks/index.ts";

const app = await testApp({ http: { streamLookMs: 300 } });
const origin = await listen(app);
const sockets: Socket[] = [];
afterAll(() => sockets.forEach((socket) => socket.destroy()));

/** Opens a stream and never reads it; answers with the server's side of it. */
async function stalled({ project_id }: TestTenant, key: string): Promise<ServerResponse> {
  const { server } = await app.server();
  const response = new Promise<ServerResponse>((resolve) => server.once("request", (_request, its) => resolve(its)));
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).pause();
  sockets.push(socket);
  socket.write(`GET /api/v1/projects/${project_id}/events/stream HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n\r\n`);
  return response;
}

const largeBytes = 200_000;

async function emitLarge(tenant: TestTenant): Promise<void> {
  const event = { event: "order.created", object_id: app.ctx.id("ord"), data: { order: { metadata: { text: "x".repeat(largeBytes) } } } };
  await app.ctx.transact((tx) => emit(tx, app.ctx, { tenant, events: [event] }));
  await fanOut(app.ctx);
}

/** Writes events until the kernel takes no more of them. */
async function fill(stream: ServerResponse, tenant: TestTenant): Promise<void> {
  for (let sent = 1; stream.writableLength < 1.5 * largeBytes; sent += 1) {
    await emitLarge(tenant);
    await eventually("the event is written", () => (stream.socket?.bytesWritten ?? 0) > sent * largeBytes);
  }
}

test("a stream whose reader has stopped reading is closed soon after its key ends, and nothing more is written to it", async () => {
  const tenant = await app.tenant();
  const key = await app.key(tenant);
  const stream = await stalled(tenant, key.key);
  await eventually("the stream has started", () => stream.headersSent);
  const faults: Error[] = [];
  stream.on("error", (fault) => faults.push(fault));
  await fill(stream, tenant);
  await revokeApiKey(app.ctx, tenant, { id: key.id });
  await eventually("the stream has ended", () => stream.writableEnded || stream.destroyed);
  // An error after an end has one listener, Fastify's, and only once: the second would stop the process.
  await emitLarge(tenant);
  await eventually("the stream is closed", () => stream.destroyed || faults.length > 0);
  expect(faults).toEqual([]);
  expect(stream.destroyed).toBe(true);
});
