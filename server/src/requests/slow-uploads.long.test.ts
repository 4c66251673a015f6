import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { multipart } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";
import { photo } from "#test/support/pictures/pictures.ts";

const app = await testApp();
const shop = await app.tenant();
const origin = await (await app.server()).listen({ port: 0, host: "127.0.0.1" });
const url = `${origin}/api/v1/projects/${shop.project_id}/assets/upload`;

/**
 * 70 KB a minute, where 16 must arrive. Node looks for requests that take longer than a minute every half minute, so the first ones are
 * reported after at most 90 seconds.
 */
const steps = 24;
const stepMs = 5_000;

test("an upload over two minutes, a piece every five seconds, arrives", { timeout: 300_000 }, async () => {
  const { payload, type } = multipart(await photo(1_600, 1_200), { purpose: "payment_proof" });
  const headers = { authorization: `Bearer ${shop.key}`, "content-type": type, "content-length": payload.length };
  const sending = request(url, { method: "POST", headers, agent: false });
  const answered = once(sending, "response") as Promise<[IncomingMessage]>;
  const piece = Math.ceil(payload.length / steps);
  for (let step = 0; step < steps; step += 1) {
    sending.write(payload.subarray(step * piece, (step + 1) * piece));
    await sleep(stepMs);
  }
  sending.end();
  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(201);
});
