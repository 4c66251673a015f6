import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { dirname } from "node:path";
import { json } from "node:stream/consumers";
import { expect, test } from "vitest";
import { spoolPath } from "#assets/images/spool-upload.ts";
import { multipart } from "#test/support/app/api.ts";
import { testApp } from "#test/support/app/test-app.ts";

const app = await testApp();
const origin = await (await app.server()).listen({ port: 0, host: "127.0.0.1" });

test("a file for a link that doesn't exist is refused before it is read, and leaves nothing on the disk", async () => {
  const { payload, type } = multipart(new Uint8Array(1024 * 1024), { gateway: "wechatpay" });
  const sending = request(`${origin}/api/public/pay/pl_test_${"0".repeat(32)}/voucher`, {
    method: "POST",
    headers: { "content-type": type, "content-length": payload.length },
    agent: false,
  });
  const answered = once(sending, "response") as Promise<[IncomingMessage]>;
  sending.on("error", () => {});
  // The rest is never sent.
  sending.write(payload.subarray(0, 100 * 1024));
  const [response] = await answered;
  expect([response.statusCode, await json(response)]).toEqual([
    404,
    expect.objectContaining({ error: expect.objectContaining({ code: "payment_link_not_found" }) }),
  ]);
  expect(await readdir(dirname(spoolPath()))).toEqual([]);
  sending.destroy();
});
