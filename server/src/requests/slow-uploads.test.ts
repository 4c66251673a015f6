import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { multipart } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";
import { eventually, turns } from "#test/support/time/eventually.ts";

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
  // The server closes a refused connection, whose request isn't sent completely.
  sending.on("error", () => {});
  sending.write(given.body.subarray(0, given.sent));
  const [there] = await accepted;
  const answer = async () => {
    const [response] = await answered;
    return { status: response.statusCode, body: JSON.parse((await buffer(response)).toString()) };
  };
  return { there, answer, sendRest: () => sending.end(given.body.subarray(given.sent)) };
}

test("an upload continues after the time that other requests have, and arrives", async () => {
  const { payload, type } = multipart(await heavyPhoto(), { purpose: "payment_proof" });
  const { there, answer, sendRest } = await begin(`${path}/assets/upload`, { type, body: payload, sent: 2 * megabyte });
  await eventually("the server reads the upload", () => there.bytesRead > 1.5 * megabyte);
  fastify.server.emit("clientError", overdue(), there);
  sendRest();
  expect(await answer()).toMatchObject({ status: 201, body: { object: "asset", purpose: "payment_proof" } });
});

test("a connection has its usual time again once an upload has arrived", async () => {
  const { payload, type } = multipart(await heavyPhoto(), { purpose: "payment_proof" });
  const after = Promise.withResolvers<number | undefined>();
  fastify.server.once("request", (incoming: IncomingMessage) =>
    incoming.once("end", () => void turns(1).then(() => after.resolve(incoming.socket.timeout))),
  );
  const { there, answer, sendRest } = await begin(`${path}/assets/upload`, { type, body: payload, sent: 2 * megabyte });
  await eventually("the server reads the upload", () => there.bytesRead > 1.5 * megabyte);
  const usual = there.timeout;
  fastify.server.emit("clientError", overdue(), there);
  expect(there.timeout).not.toBe(usual);
  sendRest();
  expect(await after.promise).toBe(usual);
  expect(await answer()).toMatchObject({ status: 201 });
});

test("any other request that hasn't arrived in time is refused as one to repeat, which the payment page then does", async () => {
  const body = Buffer.from(JSON.stringify({ amount_minor: 100, currency: "CNY" }));
  const { there, answer } = await begin(`${path}/orders`, { type: "application/json", body, sent: 10 });
  await eventually("the request has begun", () => there.bytesRead > 100);
  fastify.server.emit("clientError", overdue(), there);
  expect(await answer()).toMatchObject({ status: 408, body: { error: { code: "request_timeout", type: "invalid_request_error" } } });
});
