import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { localEgress } from "#test/support/network/certificate.ts";
import { receiver } from "#test/support/network/receiver.ts";
import type { Egress } from "../create-egress.ts";
import { createEgress } from "../create-egress.ts";
import { egressFetch } from "./egress-fetch.ts";
import type { Exchange } from "./exchange.ts";

const seen: { method: string; path: string; headers: Record<string, unknown>; body: string }[] = [];
/** A provider on this machine that speaks plain HTTP. The path says what it does. */
const provider = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const path = request.url ?? "";
    seen.push({ method: request.method ?? "", path, headers: request.headers, body: Buffer.concat(chunks).toString() });
    if (path === "/cut") return response.writeHead(200, { "content-length": "100" }).end("short", () => request.socket.destroy());
    if (path === "/reset") return request.socket.destroy();
    if (path === "/silent") return;
    if (path === "/long") return response.end("x".repeat(3_000));
    if (path === "/away") return response.writeHead(307, { location: "/ok" }).end();
    if (path === "/empty") return response.writeHead(204).end();
    return response.writeHead(402, { "x-request-id": "req_1" }).end('{"declined":true}');
  });
}).listen(0, "127.0.0.1");
await once(provider, "listening");
const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

const egress = createEgress({ allow: [], publicUrl: "http://localhost:8080" });
afterAll(async () => {
  await egress.close();
  provider.closeAllConnections();
  provider.close();
});

const exchanges: { method: string; exchange: Exchange }[] = [];
const fetchWith = ({
  through = egress,
  trusts = origin,
  ...limits
}: {
  through?: Egress;
  trusts?: string;
  totalMs?: number;
  bodyBytes?: number;
} = {}) =>
  egressFetch(through.request, {
    owner: "gc_1",
    isTrusted: (url) => url.origin === trusts,
    limits: { totalMs: 30_000, firstByteMs: 30_000, bodyBytes: 2_000, ...limits },
    onExchange: ({ method }, exchange) => void exchanges.push({ method, exchange }),
  });
/** How a request failed: the error's name, and the code of its cause. */
const failureOf = (answer: Promise<Response>) =>
  answer.then(
    () => "it was answered",
    (error: Error) => `${error.name} ${(error.cause as { code?: string } | undefined)?.code ?? ""}`,
  );

test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])(
  "%s reaches a trusted address with its headers and body, and returns the response",
  async (method) => {
    const body = method === "GET" ? undefined : "amount=100";
    const answer = await fetchWith()(`${origin}/ok?x=1`, {
      method,
      headers: { authorization: "Bearer k" },
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.status, answer.headers.get("x-request-id"), await answer.json()]).toEqual([402, "req_1", { declined: true }]);
    expect(seen.at(-1)).toMatchObject({
      method,
      path: "/ok?x=1",
      headers: { authorization: "Bearer k", "accept-encoding": "identity", "user-agent": "Tillpost/1" },
      body: body ?? "",
    });
    expect(exchanges.at(-1)).toMatchObject({ method, exchange: { status: 402 } });
  },
);

test("a response without a body, and a redirect, are responses", async () => {
  expect((await fetchWith()(`${origin}/empty`)).status).toBe(204);
  expect((await fetchWith()(`${origin}/away`, { method: "POST", redirect: "follow" })).status).toBe(307);
  expect(seen.at(-1)?.path).toBe("/away");
});

test.each([
  ["the connection is refused", "http://127.0.0.1:1/", "TypeError EGRESS_NOT_SENT"],
  ["the name has no address", "http://nowhere.invalid/", "TypeError EGRESS_NOT_SENT"],
  ["the connection ends without an answer", `${origin}/reset`, "TypeError EGRESS_LOST"],
  ["the answer is cut off", `${origin}/cut`, "TypeError EGRESS_LOST"],
  ["the answer is longer than the limit", `${origin}/long`, "TypeError EGRESS_TOO_LARGE"],
])("reports whether the request may have arrived when %s", async (_what, url, failure) => {
  expect(await failureOf(fetchWith({ trusts: new URL(url).origin })(url, { method: "POST", body: "x" }))).toBe(failure);
});

test("a silent provider times out, and a caller's own signal counts", async () => {
  expect(await failureOf(fetchWith({ totalMs: 300 })(`${origin}/silent`))).toBe("TimeoutError EGRESS_LOST");
  expect(await failureOf(fetchWith()(`${origin}/silent`, { signal: AbortSignal.timeout(20) }))).toBe("TimeoutError ");
  expect(await failureOf(fetchWith()(`${origin}/ok`, { signal: AbortSignal.abort() }))).toBe("AbortError ");
});

test("an address that isn't trusted goes through the guard: https, and public", async () => {
  const before = seen.length;
  expect(await failureOf(fetchWith({ trusts: "https://api.example" })(`${origin}/ok`))).toBe("TypeError EGRESS_NOT_SENT");
  expect(seen).toHaveLength(before);
  const own = await receiver();
  expect(await failureOf(fetchWith()(own.url))).toBe("TypeError EGRESS_NOT_SENT");
  const allowing = await localEgress();
  expect((await fetchWith({ through: allowing })(own.url)).status).toBe(200);
  await allowing.close();
});

test("another party's certificate is reported before anything is sent", async () => {
  const own = await receiver();
  const strict = createEgress({ allow: ["127.0.0.0/8"], publicUrl: "http://localhost:8080" });
  expect(await failureOf(fetchWith({ through: strict })(own.url, { method: "POST", body: "x" }))).toBe("TypeError EGRESS_NOT_SENT");
  expect(own.count()).toBe(0);
  await strict.close();
});
