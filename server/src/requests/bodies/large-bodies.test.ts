import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { testApp } from "#test/support/app/test-app.ts";
import { megabyte, openForLargeBodies, plain } from "#test/support/messages/large-bodies.ts";

const { origin, shop, post } = await openForLargeBodies();

test("a body beyond its limit gets 413 with an explanation, however it is sent", async () => {
  const large = Buffer.alloc(36 * megabyte, 0x20);
  const refused = {
    status: 413,
    body: { error: { code: "body_too_large", message: "The request body is larger than 35 MB (36700160 bytes)." } },
  };
  expect(await post("/v1/emails", large)).toMatchObject(refused);
  expect(await post("/v1/emails/batch", large)).toMatchObject(refused);
  const small = {
    status: 413,
    body: { error: { code: "body_too_large", message: "The request body is larger than 256 KB (262144 bytes)." } },
  };
  expect(await post("/v1/domains", Buffer.alloc(256 * 1024 + 1, 0x20))).toMatchObject(small);
  const chunked = await fetch(`${origin}/v1/emails`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop.key}`, "content-type": "application/json" },
    body: new Blob([large]).stream(),
    duplex: "half",
  } as RequestInit);
  expect([chunked.status, await chunked.json()]).toMatchObject([413, refused.body]);
  expect((await post("/v1/emails", plain)).status).toBe(201);
});

const limitOf = { "/v1/emails": 35 * megabyte, "/v1/domains": 256 * 1024, "/api/v1/orders": 256 * 1024 };
const part = Buffer.alloc(64 * 1024, 0x20);

/** Sends a request whole before it reads what was answered, as simple clients do. Answers all that came, or what broke. */
async function sendThenRead(head: string, parts: Iterable<Buffer>): Promise<string> {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1").pause();
  const broken = new Promise<string>((resolve) => socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code ?? "")));
  const exchange = async () => {
    socket.write(head);
    for (const one of parts) if (!socket.write(one)) await once(socket, "drain");
    let text = "";
    // The whole answer, though the connection stays open.
    for await (const chunk of socket.resume()) if (/\}$/.test((text += chunk))) break;
    return text;
  };
  return Promise.race([broken, exchange()]).finally(() => socket.destroy());
}

function* timesOf(count: number, bytes: Buffer): Generator<Buffer> {
  for (let n = 0; n < count; n += 1) yield bytes;
}

const headOf = (path: string, ...lines: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${shop.key}`,
    "Content-Type: application/json",
    ...lines,
    "",
    "",
  ].join("\r\n");

test.each([
  ["/v1/emails", "a length"],
  ["/v1/emails", "chunks"],
  ["/v1/domains", "a length"],
  ["/v1/domains", "chunks"],
  ["/api/v1/orders", "a length and Connection: close"],
  ["/api/v1/orders", "chunks and Connection: close"],
] as const)("a client that sends %s too much, by %s, and only then reads, can always read the refusal", async (path, way) => {
  const parts = Math.ceil(limitOf[path] / part.length) + 20;
  const close = way.endsWith("close") ? ["Connection: close"] : [];
  const chunk = Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
  const send = way.startsWith("chunks")
    ? () => sendThenRead(headOf(path, "Transfer-Encoding: chunked", ...close), [...timesOf(parts, chunk), Buffer.from("0\r\n\r\n")])
    : () => sendThenRead(headOf(path, `Content-Length: ${parts * part.length}`, ...close), timesOf(parts, part));
  const times = path === "/v1/emails" ? 2 : 8;
  for (let time = 0; time < times; time += 1) expect(await send()).toMatch(/^HTTP\/1\.1 413 [\s\S]*"body_too_large"/);
});

test("a client that never stops sending is disconnected", async () => {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1");
  const cut = new Promise<void>((resolve) => socket.once("error", () => resolve()).once("close", () => resolve()));
  socket.write(headOf("/v1/domains", "Content-Length: 1000000000000"));
  const [head] = await once(socket, "data");
  expect(String(head)).toMatch(/^HTTP\/1\.1 413 /);
  let sent = 0;
  for (let writing = true; writing; ) {
    const room = socket.write(part) || (await Promise.race([once(socket, "drain"), cut.then(() => false)]));
    sent += part.length;
    writing = room !== false && !socket.destroyed;
  }
  await cut;
  expect(sent).toBeLessThan(100 * megabyte);
});

test("a server that closes doesn't wait for bodies that it has refused", async () => {
  const own = await testApp();
  const closing = await own.server();
  const { port } = new URL(await closing.listen({ port: 0, host: "127.0.0.1" }));
  const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
  const cut = once(socket, "close");
  socket.write(headOf("/v1/domains", "Content-Length: 1000000"));
  await once(socket, "data");
  await Promise.all([closing.close(), cut]);
});
