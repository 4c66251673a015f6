import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { multipart } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { eventually } from "#test/support/time/eventually.ts";

const app = await testApp();
const shop = await app.tenant();
const fastify = await app.server();
const origin = await fastify.listen({ port: 0, host: "127.0.0.1" });
const path = `${origin}/api/v1/projects/${shop.project_id}`;
const megabyte = 1024 * 1024;
/** What Node reports of a request that hasn't arrived in time. */
const overdue = () => Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });

/** A photo with three megabytes of comments, so that most of it is only read if the server reads the upload. */
async function heavyPhoto(): Promise<Buffer> {
  const jpeg = await photo(400, 300);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(0xffff - 2)]);
  return Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(48).fill(comment), jpeg.subarray(2)]);
}

/** Sends a part of a request; `there` is the server's end of the connection. */
async function begin(url: string, given: { type: string; body: Buffer; sent: number }) {
  const accepted = once(fastify.server, "connection") as Promise<[Socket]>;
  const headers = { authorization: `Bearer ${shop.key}`, "content-type": given.type, "content-length": given.body.length };
  const sending: ClientRequest = request(url, { method: "POST", headers, agent: false });
  const answered = once(sending, "response") as Promise<[IncomingMessage]>;
  answered.catch(() => {});
  // The server closes a refused connection, whose request isn't sent completely.
  sending.on("error", () => {});
  sending.write(given.body.subarray(0, given.sent));
  const [there] = await accepted;
  const answer = async () => {
    const [response] = await answered;
    return { status: response.statusCode, body: JSON.parse((await buffer(response)).toString()) };
  };
  return { there, sending, answer, sendRest: () => sending.end(given.body.subarray(given.sent)) };
}

test("an upload continues after the time that other requests have, and arrives", async () => {
  const { payload, type } = multipart(await heavyPhoto(), { purpose: "payment_proof" });
  const { there, answer, sendRest } = await begin(`${path}/assets/upload`, { type, body: payload, sent: 2 * megabyte });
  await eventually("the server reads the upload", () => there.bytesRead > 1.5 * megabyte);
  fastify.server.emit("clientError", overdue(), there);
  sendRest();
  expect(await answer()).toMatchObject({ status: 201, body: { object: "asset", purpose: "payment_proof" } });
});

describe("an upload of which hardly anything arrives", () => {
  test("is refused once other requests would be, as one to repeat", async () => {
    const { payload, type } = multipart(await heavyPhoto(), { purpose: "payment_proof" });
    const { there, answer } = await begin(`${path}/assets/upload`, { type, body: payload, sent: 300 });
    await eventually("the upload has started", () => there.bytesRead > 500);
    fastify.server.emit("clientError", overdue(), there);
    expect(await answer()).toMatchObject({ status: 408, body: { error: { code: "request_timeout" } } });
  });

  test("is broken off a minute later, and one that makes progress isn't", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { payload, type } = multipart(await heavyPhoto(), { purpose: "payment_proof" });
    const { there, sending, sendRest } = await begin(`${path}/assets/upload`, { type, body: payload, sent: 1 * megabyte });
    await eventually("the server has read what was sent", () => there.bytesRead >= megabyte);
    fastify.server.emit("clientError", overdue(), there);
    sending.write(payload.subarray(megabyte, 1.5 * megabyte));
    // All of it: what arrives after the next check would be progress at the one after it.
    await eventually("the server has read more", () => there.bytesRead >= 1.5 * megabyte);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(there.destroyed).toBe(false);
    sending.write(payload.subarray(1.5 * megabyte, 1.5 * megabyte + 60));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(there.destroyed).toBe(true);
    sendRest();
  });
});

test("any other request that hasn't arrived in time is refused as one to repeat, which the payment page then does", async () => {
  const body = Buffer.from(JSON.stringify({ amount_minor: 100, currency: "CNY" }));
  const { there, answer } = await begin(`${path}/orders`, { type: "application/json", body, sent: 10 });
  await eventually("the request has started", () => there.bytesRead > 100);
  fastify.server.emit("clientError", overdue(), there);
  expect(await answer()).toMatchObject({ status: 408, body: { error: { code: "request_timeout", type: "invalid_request_error" } } });
});
